import { TotpEnrolment } from '../../protocol/api/signIn.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

/** For a member who must have a second factor and has none yet: what the authenticator app is to be given. */
export function beginRequiredFactor(ticket: string): Promise<ApiResult<TotpEnrolment>> {
  return requestRecord('/api/user/login/enrol', TotpEnrolment, { method: 'POST', body: { ticket } });
}
