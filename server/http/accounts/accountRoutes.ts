import type { FastifyInstance } from 'fastify';
import { type OwnSecondFactorDeps, registerOwnSecondFactor } from './ownSecondFactorRoutes.ts';
import { type OwnSessionsDeps, registerOwnSessions } from './ownSessionRoutes.ts';
import { type ProfileDeps, registerProfile } from './profileRoutes.ts';

export interface AccountDeps extends ProfileDeps, OwnSessionsDeps, OwnSecondFactorDeps {}

/** What users see and change of their own account, whatever else they may do. */
export async function registerAccount(app: FastifyInstance, deps: AccountDeps): Promise<void> {
  registerProfile(app, deps);
  registerOwnSessions(app, deps);
  registerOwnSecondFactor(app, deps);
}
