// The gateway's part of the page: it keeps types and reasons, counts their versions, and refuses as the real one does.
import { waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import {
  EVENT_REASONS_PATH,
  EVENT_TYPES_PATH,
  type EventReason,
  type EventTypeRecord,
} from '../../../../shared/protocol/api/eventTypes.ts';
import { anyEventType, anyReason } from '../../../support/anyEventType.ts';
import { type FakeCall, type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';

export function typeRecord(changes: Partial<EventTypeRecord> = {}): EventTypeRecord {
  const { nameEn, nameZh, nameJp } = { nameEn: '', nameZh: '', nameJp: '' };
  const builtIn = { isBuiltIn: true, source: null, unit: 'none', hasRule: false } as const;
  return { ...anyEventType(), nameEn, nameZh, nameJp, code: 'speeding', version: 1, ...builtIn, ...changes };
}

export function reasonRecord(changes: Partial<EventReason> = {}): EventReason {
  return { ...anyReason({ nameEn: '' }), id: 1, code: 'real', version: 1, isBuiltIn: true, ...changes };
}

interface Kept {
  readonly version: number;
}

/** Answers the calls of one record, and of the list that it is in. */
function keep<Row extends Kept>(gateway: FakeGateway, { path, key, rows, reset, added }: Keeping<Row>): void {
  const list = () => json({ error: false, data: rows });
  gateway.on(`GET ${path}`, list);
  gateway.on(`POST ${path}`, ({ body }) => {
    const row = { ...rows[0], ...added(rows.length), ...(body as object), version: 1 } as Row;
    rows.push(row);
    return json({ error: false, data: row });
  });
  for (const row of [...rows]) {
    const own = `${path}/${key(row)}`;
    const at = () => rows.findIndex((each) => key(each) === key(row));
    const change = (call: FakeCall, next: (known: Row) => Row): Response => {
      const known = rows[at()] as Row;
      const version = (call.body as Kept | undefined)?.version ?? Number(call.query.get('version'));
      if (version !== known.version) return conflict(known);
      rows[at()] = { ...next(known), version: version + 1 };
      return json({ error: false, data: rows[at()] });
    };
    gateway.on(`PUT ${own}`, (call) => change(call, (known) => ({ ...known, ...(call.body as object) })));
    gateway.on(`POST ${own}/reset`, (call) => change(call, () => reset(row)));
    gateway.on(`DELETE ${own}`, () => {
      rows.splice(at(), 1);
      return json({ error: false, data: {} });
    });
  }
}

interface Keeping<Row> {
  readonly path: string;
  readonly key: (row: Row) => string | number;
  readonly rows: Row[];
  readonly reset: (row: Row) => Row;
  /** What the gateway gives a new one. */
  readonly added: (count: number) => Partial<Row>;
}

function conflict(current: object): Response {
  return json({ error: true, code: 'conflict', message: 'conflict', data: { current } }, { status: 409 });
}

export function keepTypes(gateway: FakeGateway, rows: EventTypeRecord[]): void {
  const added = (count: number) => ({ code: `custom-${count}`, isBuiltIn: false });
  const reset = ({ code }: EventTypeRecord) => typeRecord({ code });
  keep(gateway, { path: EVENT_TYPES_PATH, key: ({ code }) => code, rows, reset, added });
}

export function keepReasons(gateway: FakeGateway, rows: EventReason[]): void {
  const reset = ({ id, code }: EventReason) => reasonRecord({ id, code });
  const added = (count: number) => ({ id: 100 + count, code: `custom-${count}`, isBuiltIn: false });
  keep(gateway, { path: EVENT_REASONS_PATH, key: ({ id }) => id, rows, reset, added });
}

/** Puts a text in place of what a field holds, in one step: each change of the text renders the form. */
export async function enter(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  if (text === '') return user.clear(field);
  await user.click(field);
  expect(document.activeElement, 'the field that is typed in').toBe(field);
  (field as HTMLInputElement).select();
  await user.paste(text);
}

/** The dialog on top, by its title: a role is worked out for every element of the page. */
export async function dialog(title: string) {
  const found = await waitFor(() => {
    const [top] = [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')].reverse();
    expect(top?.querySelector('h2')?.textContent).toBe(title);
    return top ?? expect.fail(`no dialog ${title}`);
  });
  return within(found);
}
