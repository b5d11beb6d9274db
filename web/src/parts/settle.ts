import type { Action } from 'svelte/action';
import { settleTime, Settling } from '../model/settling';

interface Meaning {
  of: unknown; // what a press does, and where the control is
  ms?: number; // 0: every press counts
}

/**
 * Ignores presses by pointer or key for a while after the control has appeared or `of` has changed. Until then it is
 * marked as disabled, but keeps the focus.
 */
export const settle: Action<HTMLElement, Meaning> = (node, meaning) => {
  let { of } = meaning;
  const settling = new Settling(meaning.ms ?? settleTime);
  let pressedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function mark(): void {
    clearTimeout(timer);
    const left = settling.left(performance.now());
    node.toggleAttribute('data-settling', left > 0);
    if (left > 0) node.setAttribute('aria-disabled', 'true');
    else node.removeAttribute('aria-disabled');
    if (left > 0) timer = setTimeout(mark, left);
  }
  function change(ms = settleTime): void {
    settling.changed(performance.now(), ms);
    mark();
  }
  function down(): void {
    pressedAt = performance.now();
  }
  function click(event: MouseEvent): void {
    const now = performance.now();
    if (settling.accepts(event.detail > 0 ? pressedAt : now, now)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    mark();
  }
  node.addEventListener('pointerdown', down, { capture: true });
  node.addEventListener('click', click, { capture: true });
  change(meaning.ms);
  return {
    update(next) {
      if (next.of === of) return;
      of = next.of;
      change(next.ms);
    },
    destroy: () => clearTimeout(timer),
  };
};
