/** Something that people should read now. */
export interface Notice {
  id: number;
  kind: 'done' | 'refused' | 'report';
  title: string;
  text: string;
  code?: string; // of a refusal
  until: number; // ms
}

const most = 4;
const doneTime = 3000; // ms
const readTime = 12_000; // ms

/** The notices that are shown, the newest first. */
export class Notices {
  shown = $state<Notice[]>([]);
  private nextId = 1;

  /** What went well makes room for what goes well next. */
  add(kind: Notice['kind'], title: string, text: string, code = ''): void {
    const until = performance.now() + (kind === 'done' ? doneTime : readTime);
    const others = this.shown.filter((notice) => (kind === 'done' ? notice.kind !== 'done' : notice.title !== title || notice.text !== text));
    this.shown = [{ id: this.nextId++, kind, title, text, code, until }, ...others].slice(0, most);
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id);
  }

  /** Removes those whose time is over. */
  expire(ms: number): void {
    if (this.shown.some((notice) => notice.until < ms)) this.shown = this.shown.filter((notice) => notice.until >= ms);
  }
}
