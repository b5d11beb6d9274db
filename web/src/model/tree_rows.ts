import type { BehaviorNode } from './sections';

export interface TreeRow {
  node: BehaviorNode;
  depth: number;
}

/** The tree from its top down, each behavior before its children, in the order of the robot. */
export function rowsOf(tree: BehaviorNode[]): TreeRow[] {
  const children = new Map<string | null, BehaviorNode[]>();
  const known = new Set(tree.map(({ id }) => id));
  for (const node of tree) {
    const parent = node.parent !== null && known.has(node.parent) ? node.parent : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  }
  const rows: TreeRow[] = [];
  const add = (parent: string | null, depth: number) => {
    for (const node of children.get(parent) ?? []) {
      rows.push({ node, depth });
      add(node.id, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}
