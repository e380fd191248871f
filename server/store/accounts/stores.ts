import type { StoreDb } from '../engine/database.ts';
import { createInvitationStore } from './invitations.ts';
import { createKnownBrowserStore } from './knownBrowsers.ts';
import { createMemberGroupEditingStore } from './memberGroupEditing.ts';
import { createMemberGroupStore } from './memberGroups.ts';
import { createMemberStore } from './members.ts';
import { createOwnNotifyStore } from './ownNotify.ts';
import { createRoleStore } from './roles.ts';
import { createSecondFactorStore } from './secondFactors.ts';
import { createSessionListStore } from './sessionList.ts';
import { createSessionStore } from './sessions.ts';
import { createSignInStepStore } from './signInSteps.ts';
import { createUserStore } from './users.ts';

export type AccountStores = Readonly<ReturnType<typeof createAccountStores>>;

/** `reading`: for lists. */
export function createAccountStores(db: StoreDb, reading: StoreDb) {
  return {
    invitations: createInvitationStore(db),
    knownBrowsers: createKnownBrowserStore(db),
    memberGroupEditing: createMemberGroupEditingStore(db, reading),
    memberGroups: createMemberGroupStore(db),
    members: createMemberStore(db, reading),
    ownNotify: createOwnNotifyStore(db),
    roles: createRoleStore(db),
    secondFactors: createSecondFactorStore(db),
    sessionList: createSessionListStore(db, reading),
    sessions: createSessionStore(db),
    signInSteps: createSignInStepStore(db),
    users: createUserStore(db),
  };
}
