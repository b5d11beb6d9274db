/** Time in ms for which a list keeps its order after a person last pointed at it. */
export const steadyTime = 3000;

/** Keeps the order of a list while a person aims at it, so that nothing moves under the pointer. */
export class SteadyOrder {
  private order: string[] = [];

  /** The person has chosen another order. */
  forget(): void {
    this.order = [];
  }

  /** Returns `sorted`; while `held`, in the order of before, with new items at the end. */
  arrange<T extends { name: string }>(sorted: T[], held: boolean): T[] {
    const place = new Map(this.order.map((name, i) => [name, i]));
    const placeOf = ({ name }: T) => place.get(name) ?? this.order.length;
    const arranged = held ? [...sorted].sort((a, b) => placeOf(a) - placeOf(b)) : sorted;
    this.order = arranged.map(({ name }) => name);
    return arranged;
  }
}
