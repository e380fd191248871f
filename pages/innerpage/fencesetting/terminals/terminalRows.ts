// The devices of a fence as rows of a table. Pure.
import type { TerminalArea } from '../../../../shared/protocol/api/fences/fences.ts';
import type { LocalList } from '../../../../shared/ui/table/localPage.ts';

export function terminalList(rows: readonly TerminalArea[]): LocalList<TerminalArea> {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const byName = (left: TerminalArea, right: TerminalArea) =>
    compare(nameOfTerminal(left), nameOfTerminal(right)) || compare(left.deviceid, right.deviceid);
  return {
    rows,
    keyOf: ({ deviceid }) => deviceid,
    texts: ({ deviceid, name, plate }) => [deviceid, name, plate],
    matches: ({ state }, { state: wanted = '' }) => wanted === '' || state === wanted,
    orders: {
      name: byName,
      state: (left, right) => compare(left.state, right.state) || byName(left, right),
      changedAtMs: (left, right) => left.changedAtMs - right.changedAtMs || byName(left, right),
    },
  };
}

export function nameOfTerminal({ deviceid, name, plate }: TerminalArea): string {
  const label = name || deviceid;
  return plate === '' ? label : `${label} (${plate})`;
}
