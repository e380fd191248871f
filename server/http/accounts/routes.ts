import type { FastifyInstance } from 'fastify';
import type { MembershipDeps } from './common.ts';
import { registerMemberAccess } from './memberAccessRoutes.ts';
import { registerGroups } from './memberGroupRoutes.ts';
import { registerMemberList } from './memberList.ts';
import { registerMembers } from './memberRoutes.ts';
import { registerRoles } from './roleRoutes.ts';
import { registerSessions } from './sessionRoutes.ts';

/** `/api/membership/*`: the calls that run the accounts. */
export async function registerMembership(app: FastifyInstance, deps: MembershipDeps): Promise<void> {
  registerMemberList(app, deps);
  registerMembers(app, deps);
  registerMemberAccess(app, deps);
  registerRoles(app, deps);
  registerGroups(app, deps);
  registerSessions(app, deps);
}
