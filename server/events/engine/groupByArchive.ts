/** The events of each device, in the order in which they came. */
export function groupByArchive<Event extends { readonly archiveNumber: number }>(
  events: readonly Event[],
): Map<number, Event[]> {
  const groups = new Map<number, Event[]>();
  for (const event of events) {
    const group = groups.get(event.archiveNumber) ?? [];
    group.push(event);
    groups.set(event.archiveNumber, group);
  }
  return groups;
}
