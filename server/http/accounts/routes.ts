import type { FastifyInstance } from 'fastify';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Accounts } from '../../auth/accounts.ts';
import { ACCOUNT_RECORDS } from '../../auth/acts/accountActs.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { Stores } from '../../store/stores.ts';
import { registerChanging } from '../kernel/recordChanges.ts';
import type { ServerInfoReader } from '../system/serverInfo.ts';
import { registerAccount } from './accountRoutes.ts';
import type { MembershipDeps } from './common.ts';
import { registerInvitation } from './invitationRoutes.ts';
import { registerMemberAccess } from './memberAccessRoutes.ts';
import { registerGroups } from './memberGroupRoutes.ts';
import { registerMemberList } from './memberList.ts';
import { registerMembers } from './memberRoutes.ts';
import { registerMember } from './ownMemberRoutes.ts';
import { type OwnPush, registerOwnNotify } from './ownNotifyRoutes.ts';
import { registerRoles } from './roleRoutes.ts';
import { registerSessions } from './sessionRoutes.ts';
import { registerSignIn } from './signInRoutes.ts';
import { registerStatus } from './statusRoutes.ts';

export interface AccountRoutesDeps {
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly serverInfo: ServerInfoReader;
  readonly pushBrowsers: OwnPush;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly now: () => WallMs;
}

/** What authenticator apps show above a code where the installation has no title of its own. */
const PRODUCT_NAME = 'Fleetglass';

/** Signing in, what users see and change of their own account, and the calls that run the accounts. */
export async function registerAccountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): Promise<void> {
  const { accounts, stores, sessions, serverInfo, pushBrowsers, bus, now } = deps;
  const issuer = async (): Promise<string> => (await serverInfo.read(false)).web_title || PRODUCT_NAME;
  const parts = { ...stores, ...accounts, sessions, issuer, bus, now };
  await registerMember(app, stores);
  await registerChanging(app, ['session'], async (routes) => {
    await registerSignIn(routes, parts);
    await registerAccount(routes, parts);
    await registerInvitation(routes, parts);
    await registerStatus(routes, parts);
  });
  const { ownNotify } = stores;
  await registerChanging(app, ['member'], (routes) => registerOwnNotify(routes, { ownNotify, pushBrowsers }));
  await registerChanging(app, ACCOUNT_RECORDS, (routes) => registerMembership(routes, parts));
}

/** `/api/membership/*`: the calls that run the accounts. */
async function registerMembership(app: FastifyInstance, deps: MembershipDeps): Promise<void> {
  registerMemberList(app, deps);
  registerMembers(app, deps);
  registerMemberAccess(app, deps);
  registerRoles(app, deps);
  registerGroups(app, deps);
  registerSessions(app, deps);
}
