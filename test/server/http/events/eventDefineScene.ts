// An installation with its built-in types and reasons, and members of each kind.
import type { InjectOptions } from 'fastify';
import { builtInReasonRows, builtInRows } from '../../../../server/events/types/builtInRows.ts';
import type { EventReason, EventTypeRecord, EventWords } from '../../../../shared/protocol/api/eventTypes.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

export interface Answer<Data> {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: Data;
}

export interface Refused {
  readonly fields?: Readonly<Record<string, string>>;
  readonly current?: Readonly<Record<string, unknown>>;
}

/** Who asks; `root` may do everything. */
type Username = 'root' | 'clerk' | 'definer' | '';

export interface EventDefineScene {
  readonly test: TestApp;
  ask<Data>(method: InjectOptions['method'], url: string, body?: object, as?: Username): Promise<Answer<Data>>;
  types(): Promise<readonly EventTypeRecord[]>;
  typeOf(code: string): Promise<EventTypeRecord>;
  reasonOf(code: string): Promise<EventReason>;
  words(as?: Username): Promise<EventWords>;
  /** Actions of the audit, newest first, with their target. */
  audit(): Promise<readonly (readonly [string, string])[]>;
}

export async function createEventDefineScene(): Promise<EventDefineScene> {
  const test = await createTestApp();
  await test.stores.eventTypes.addMissing(builtInRows());
  await test.stores.eventReasons.addMissing(builtInReasonRows());
  const users: Readonly<Record<Exclude<Username, ''>, readonly string[]>> = {
    root: ALL_PERMISSIONS,
    clerk: ['event', 'system'],
    definer: ['eventdefine'],
  };
  for (const [username, permissions] of Object.entries(users)) await test.addUser(username, permissions);
  const ask: EventDefineScene['ask'] = async (method = 'GET', url, body, as = 'root') => {
    const headers = as === '' ? {} : { cookie: await cookieFor(test, as) };
    const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
    const { code, data } = answer.json();
    return { status: answer.statusCode, code, data };
  };
  const types = async () => (await ask<readonly EventTypeRecord[]>('GET', '/api/eventdefine/types')).data;
  const reasons = async () => (await ask<readonly EventReason[]>('GET', '/api/eventdefine/reasons')).data;
  return {
    test,
    ask,
    types,
    typeOf: async (code) => found(await types(), code),
    reasonOf: async (code) => found(await reasons(), code),
    words: async (as) => (await ask<EventWords>('GET', '/api/event/types', undefined, as)).data,
    audit: async () => {
      const entries = await test.stores.audit.list({ limit: 50 });
      return entries.flatMap(({ action, target }) => (action.startsWith('event') ? [[action, target] as const] : []));
    },
  };
}

export async function cookieFor({ stores, sessions }: TestApp, username: string): Promise<string> {
  const user = await stores.users.findByName(username);
  if (user === undefined) throw new Error(`no user ${username}`);
  const { id } = await sessions.begin(user, { address: '192.0.2.1', userAgent: 'test' }, false);
  return `fleetglass_sid=${id}`;
}

function found<Row extends { readonly code: string }>(rows: readonly Row[], code: string): Row {
  const row = rows.find((each) => each.code === code);
  if (row === undefined) throw new Error(`no ${code}`);
  return row;
}
