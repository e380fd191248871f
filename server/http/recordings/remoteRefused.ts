import type { PlanRefusal } from '../../device/usage/planGate.ts';
import { PLAN_REFUSALS } from '../../netflow/rules/planRefusals.ts';
import type { RemotePlayResult } from '../../stream/remote/remotePlayback.ts';
import type { Refusal } from '../kernel/envelope.ts';

type Code = Extract<RemotePlayResult, { readonly ok: false }>['code'] | 'no-such-channel';

/**
 * Why a device plays nothing. The call was understood and may be good in a moment, so the statuses are the client's: what
 * stands between page and gateway replaces the text of a 502 or 504.
 */
export const RemoteRefused: Readonly<Record<Code, Refusal>> = {
  'no-such-channel': {
    status: 404,
    code: 'no-such-channel',
    message: "The device doesn't have this channel. Select another one.",
  },
  'device-offline': {
    status: 409,
    code: 'device-offline',
    message: "The device is offline. Try again when it's online.",
  },
  'device-refused': {
    status: 409,
    code: 'device-refused',
    message: 'The device rejected the request. Try again later.',
  },
  'device-no-answer': { status: 409, code: 'device-no-answer', message: "The device doesn't answer. Try again later." },
  'nothing-recorded': {
    status: 404,
    code: 'nothing-recorded',
    message: 'The device has no recording at this time. Select another time.',
  },
  ...planRefusals(),
  busy: { status: 409, code: 'busy', message: 'Another user is playing a recording of this device. Try again later.' },
};

function planRefusals(): Readonly<Record<PlanRefusal, Refusal>> {
  const withStatus = (code: PlanRefusal): Refusal => ({ status: 409, ...PLAN_REFUSALS[code] });
  return {
    'plan-sub-stream': withStatus('plan-sub-stream'),
    'plan-events-only': withStatus('plan-events-only'),
    'plan-no-video': withStatus('plan-no-video'),
    'plan-no-transfers': withStatus('plan-no-transfers'),
  };
}
