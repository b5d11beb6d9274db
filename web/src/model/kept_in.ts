/** Returns the value of that name, which is made if there is none. */
export function keptIn<T>(all: Map<string, T>, name: string, make: () => T): T {
  let one = all.get(name);
  if (!one) all.set(name, (one = make()));
  return one;
}
