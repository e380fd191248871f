import { expect, it } from 'vitest';
import { RemoteRefused } from '../../../../../server/http/recordings/remoteRefused.ts';
import { PLAN_REFUSALS } from '../../../../../server/netflow/rules/planRefusals.ts';

it.each(Object.values(PLAN_REFUSALS))(
  'S-2.4.9 playback that a plan refuses with $code has its text, and a status that no proxy replaces',
  (refusal) => expect(RemoteRefused[refusal.code]).toEqual({ status: 409, ...refusal }),
);
