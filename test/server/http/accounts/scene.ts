// People and groups that the tests of the accounts' calls share.
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { createTestApp, type TestApp } from '../testApp.ts';

/** What the tests read of any of the answers. */
interface Data {
  readonly [name: string]: unknown;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly fields: Readonly<Record<string, string>>;
  readonly current: Readonly<Record<string, unknown>>;
  readonly invitation: { readonly token: string };
  readonly token: string;
  readonly ticket: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: Data;
  readonly body: string;
}

export interface Scene {
  readonly test: TestApp;
  readonly roles: Readonly<Record<'operator' | 'manager' | 'administrator', number>>;
  readonly north: number;
  readonly south: number;
  addMember(username: string, role: number, groups?: readonly number[]): Promise<number>;
  /** Somebody with a role of just these permissions. */
  addWith(username: string, permissions: readonly string[], groups?: readonly number[]): Promise<number>;
  /** Asks as this user; '' for nobody. */
  ask(username: string, method: InjectOptions['method'], url: string, body?: unknown): Promise<Answer>;
  /** The CSV file of a list, whose query is in `url`. */
  download(username: string, url: string): Promise<LightMyRequestResponse>;
  audit(): Promise<
    readonly { readonly actor: string; readonly action: string; readonly target: string; readonly detail: unknown }[]
  >;
}

export async function createScene(): Promise<Scene> {
  const test = await createTestApp();
  const { stores } = test;
  const north = await stores.memberGroups.insert({ name: 'North' });
  const south = await stores.memberGroups.insert({ name: 'South' });
  const roleOf = async (kind: 'operator' | 'manager' | 'administrator') => (await stores.roles.findBuiltIn(kind)).id;
  const roles = {
    operator: await roleOf('operator'),
    manager: await roleOf('manager'),
    administrator: await roleOf('administrator'),
  };
  const addMember = async (username: string, role: number, groups: readonly number[] = []) => {
    const id = await test.addUser(username, [], groups);
    const member = await stores.members.find(id);
    if (member === undefined) throw new Error('gone');
    await stores.members.update(id, member.version, { content: { ...member, role }, scope: undefined });
    return id;
  };
  const addWith = async (username: string, permissions: readonly string[], groups: readonly number[] = []) => {
    const role = await stores.roles.insert({ name: `${username}s`, permissions, secondFactorRequired: false });
    if (!role.ok) throw new Error(role.reason);
    return addMember(username, role.value, groups);
  };
  const cookies = new Map<string, string>();
  const cookieOf = async (username: string): Promise<string> => {
    const cookie = cookies.get(username) ?? (await cookieFor(test, username));
    cookies.set(username, cookie);
    return cookie;
  };
  const ask: Scene['ask'] = async (username, method = 'GET', url, body) => {
    const headers = username === '' ? {} : { cookie: await cookieOf(username) };
    const response = await test.request({
      method,
      url,
      headers,
      ...(body === undefined ? {} : { body: body as object }),
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const { code, data } = isJson ? response.json() : { code: undefined, data: {} };
    return { status: response.statusCode, code, data: data ?? {}, body: response.body };
  };
  const download = async (username: string, url: string) => test.download(url, await cookieOf(username));
  const audit = () => test.stores.audit.list({ limit: 50 });
  return { test, roles, north, south, addMember, addWith, ask, download, audit };
}

async function cookieFor(test: TestApp, username: string): Promise<string> {
  const user = await test.stores.users.findByName(username);
  if (user === undefined) throw new Error(`no user ${username}`);
  const { id } = await test.sessions.begin(user, { address: '192.0.2.1', userAgent: 'test' }, false);
  return `fleetglass_sid=${id}`;
}

/** The code that an authenticator app shows at that moment. */
export function codeAt(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
}

/** What a member's form sends, for somebody new. */
export function newMember(username: string, role: number, more: Readonly<Record<string, unknown>> = {}) {
  return {
    username,
    displayName: '',
    role,
    groups: [],
    language: '',
    timeZone: '',
    expiresAtMs: 0,
    disabled: false,
    wallMonitorAllowed: false,
    ...more,
  };
}

const EDITABLE = [
  'version',
  'displayName',
  'role',
  'groups',
  'language',
  'timeZone',
  'expiresAtMs',
  'disabled',
  'wallMonitorAllowed',
];

/** What a member's form sends, for the member as the gateway gave it. */
export function edited(member: object, changes: Readonly<Record<string, unknown>> = {}) {
  const known = member as Readonly<Record<string, unknown>>;
  return { ...Object.fromEntries(EDITABLE.map((name) => [name, known[name]])), ...changes };
}
