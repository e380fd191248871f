// Every change here is in the audit, with what was before and what is now.
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../caller.ts';
import type { DeviceGroupDeps } from './deps.ts';

export interface Happening {
  readonly action: string;
  readonly target: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export async function note(
  { stores, now }: Pick<DeviceGroupDeps, 'stores' | 'now'>,
  request: FastifyRequest,
  happening: Happening,
): Promise<void> {
  const { user } = callerOf(request);
  await stores.audit.add({ actor: user.username, address: request.ip, ...happening }, now());
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that differ, as they were and as they are. */
export function difference(before: object, after: object): { readonly before: Fields; readonly after: Fields } {
  const was = before as Fields;
  const is = after as Fields;
  const names = Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const pick = (from: Fields): Fields => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: pick(was), after: pick(is) };
}
