/**
 * Repeats the last item until there are 1, 2, 4, 8 ... of them. A statement is compiled and prepared anew for each number of parameters;
 * so a list of any length has few texts. For statements that an item may be given to twice.
 */
export function evenSized<Item>(items: readonly Item[]): readonly Item[] {
  const last = items.at(-1);
  if (last === undefined) return items;
  const size = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: size - items.length }, () => last)];
}
