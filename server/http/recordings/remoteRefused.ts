import type { RemotePlayResult } from '../../stream/remote/remotePlayback.ts';
import type { Refusal } from '../kernel/envelope.ts';

type Code = Extract<RemotePlayResult, { readonly ok: false }>['code'] | 'no-such-channel';

/**
 * Why a device plays nothing. The call was understood and may be good in a moment, so the statuses are the client's: what
 * stands between page and gateway replaces the text of a 502 or 504.
 */
export const RemoteRefused: Readonly<Record<Code, Refusal>> = {
  'no-such-channel': { status: 404, code: 'no-such-channel', message: 'The device does not have this channel.' },
  'device-offline': { status: 409, code: 'device-offline', message: 'The device is not connected.' },
  'device-refused': { status: 409, code: 'device-refused', message: 'The device refused.' },
  'device-no-answer': { status: 409, code: 'device-no-answer', message: 'The device does not answer.' },
  'nothing-recorded': { status: 404, code: 'nothing-recorded', message: 'The device recorded nothing at that time.' },
  busy: { status: 409, code: 'busy', message: 'Somebody else is playing a recording of this device.' },
};
