import type { OnLimit } from '../limits/limit.ts';
import { type AlarmOnsetStore, createAlarmOnsetStore } from './alarmOnsets.ts';
import { type ArchiveStore, createArchiveStore } from './archives.ts';
import { type AuditStore, createAuditStore } from './audit.ts';
import { type CameraWallStore, createCameraWallStore } from './cameraWalls.ts';
import type { StoreDb } from './database.ts';
import { createDeviceGroupStore, type DeviceGroupStore } from './deviceGroups.ts';
import { createDeviceRecordStore, type DeviceRecordStore } from './deviceRecords.ts';
import { createDeviceStore, type DeviceStore } from './devices.ts';
import { createDeviceTreeStore, type DeviceTreeStore } from './deviceTree.ts';
import { createEvidenceHoldStore, type EvidenceHoldStore } from './evidenceHolds.ts';
import { createFleetStore, type FleetStore } from './fleet.ts';
import { createInvitationStore, type InvitationStore } from './invitations.ts';
import { createKnownBrowserStore, type KnownBrowserStore } from './knownBrowsers.ts';
import { createLinkCredentialStore, type LinkCredentialStore } from './linkCredentials.ts';
import { createLinkListStore, type LinkListStore } from './linkList.ts';
import { createMemberGroupEditingStore, type MemberGroupEditingStore } from './memberGroupEditing.ts';
import { createMemberGroupStore, type MemberGroupStore } from './memberGroups.ts';
import { createMemberStore, type MemberStore } from './members.ts';
import { createMissingTranslationStore, type MissingTranslationStore } from './missingTranslations.ts';
import { createOnlineHistoryStore, type OnlineHistoryStore } from './onlineHistory.ts';
import { createPositionStore, type PositionStore } from './positions.ts';
import { createRecordingPolicyStore, type RecordingPolicyStore } from './recordingPolicies.ts';
import { createReportRemovalStore, type ReportRemovalStore } from './reportRemoval.ts';
import { createRoleStore, type RoleStore } from './roles.ts';
import { createSecondFactorStore, type SecondFactorStore } from './secondFactors.ts';
import { createSegmentStore, type SegmentStore } from './segments.ts';
import { createSessionListStore, type SessionListStore } from './sessionList.ts';
import { createSessionStore, type SessionStore } from './sessions.ts';
import { createSettingStore, type SettingStore } from './settings.ts';
import { createSignInStepStore, type SignInStepStore } from './signInSteps.ts';
import { createUnknownTerminalStore, type UnknownTerminalStore } from './unknownTerminals.ts';
import { createUserStore, type UserStore } from './users.ts';

/** Every store of one database; parts are given the ones that they need. */
export interface Stores {
  readonly alarmOnsets: AlarmOnsetStore;
  readonly archives: ArchiveStore;
  readonly audit: AuditStore;
  readonly cameraWalls: CameraWallStore;
  readonly deviceGroups: DeviceGroupStore;
  readonly deviceRecords: DeviceRecordStore;
  readonly devices: DeviceStore;
  readonly deviceTree: DeviceTreeStore;
  readonly evidenceHolds: EvidenceHoldStore;
  readonly fleet: FleetStore;
  readonly linkCredentials: LinkCredentialStore;
  readonly linkList: LinkListStore;
  readonly memberGroups: MemberGroupStore;
  readonly missingTranslations: MissingTranslationStore;
  readonly onlineHistory: OnlineHistoryStore;
  readonly positions: PositionStore;
  readonly recordingPolicies: RecordingPolicyStore;
  readonly reportRemoval: ReportRemovalStore;
  readonly segments: SegmentStore;
  readonly sessions: SessionStore;
  readonly settings: SettingStore;
  readonly unknownTerminals: UnknownTerminalStore;
  readonly invitations: InvitationStore;
  readonly memberGroupEditing: MemberGroupEditingStore;
  readonly knownBrowsers: KnownBrowserStore;
  readonly members: MemberStore;
  readonly roles: RoleStore;
  readonly secondFactors: SecondFactorStore;
  readonly sessionList: SessionListStore;
  readonly signInSteps: SignInStepStore;
  readonly users: UserStore;
}

export function createStores(db: StoreDb, onLimit?: OnLimit): Stores {
  return {
    alarmOnsets: createAlarmOnsetStore(db),
    archives: createArchiveStore(db),
    audit: createAuditStore(db),
    cameraWalls: createCameraWallStore(db, onLimit),
    deviceGroups: createDeviceGroupStore(db),
    deviceRecords: createDeviceRecordStore(db),
    devices: createDeviceStore(db),
    deviceTree: createDeviceTreeStore(db),
    evidenceHolds: createEvidenceHoldStore(db),
    fleet: createFleetStore(db),
    linkCredentials: createLinkCredentialStore(db),
    linkList: createLinkListStore(db),
    memberGroups: createMemberGroupStore(db),
    missingTranslations: createMissingTranslationStore(db),
    onlineHistory: createOnlineHistoryStore(db),
    positions: createPositionStore(db),
    recordingPolicies: createRecordingPolicyStore(db),
    reportRemoval: createReportRemovalStore(db),
    segments: createSegmentStore(db),
    sessions: createSessionStore(db),
    settings: createSettingStore(db),
    unknownTerminals: createUnknownTerminalStore(db, { onLimit }),
    invitations: createInvitationStore(db),
    knownBrowsers: createKnownBrowserStore(db),
    memberGroupEditing: createMemberGroupEditingStore(db),
    members: createMemberStore(db),
    roles: createRoleStore(db),
    secondFactors: createSecondFactorStore(db),
    sessionList: createSessionListStore(db),
    signInSteps: createSignInStepStore(db),
    users: createUserStore(db),
  };
}
