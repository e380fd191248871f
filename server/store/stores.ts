import type { OnLimit } from '../limits/limit.ts';
import { createInvitationStore, type InvitationStore } from './accounts/invitations.ts';
import { createKnownBrowserStore, type KnownBrowserStore } from './accounts/knownBrowsers.ts';
import { createMemberGroupEditingStore, type MemberGroupEditingStore } from './accounts/memberGroupEditing.ts';
import { createMemberGroupStore, type MemberGroupStore } from './accounts/memberGroups.ts';
import { createMemberStore, type MemberStore } from './accounts/members.ts';
import { createRoleStore, type RoleStore } from './accounts/roles.ts';
import { createSecondFactorStore, type SecondFactorStore } from './accounts/secondFactors.ts';
import { createSessionListStore, type SessionListStore } from './accounts/sessionList.ts';
import { createSessionStore, type SessionStore } from './accounts/sessions.ts';
import { createSignInStepStore, type SignInStepStore } from './accounts/signInSteps.ts';
import { createUserStore, type UserStore } from './accounts/users.ts';
import { type AuditStore, createAuditStore } from './audit/audit.ts';
import { createDeviceGroupStore, type DeviceGroupStore } from './devices/deviceGroups.ts';
import { createDeviceRecordStore, type DeviceRecordStore } from './devices/deviceRecords.ts';
import { createDeviceStore, type DeviceStore } from './devices/devices.ts';
import { createDeviceTreeStore, type DeviceTreeStore } from './devices/deviceTree.ts';
import { createUnknownTerminalStore, type UnknownTerminalStore } from './devices/unknownTerminals.ts';
import type { StoreDb } from './engine/database.ts';
import { type AlarmOnsetStore, createAlarmOnsetStore } from './fleet/alarmOnsets.ts';
import { type CameraWallStore, createCameraWallStore } from './fleet/cameraWalls.ts';
import { createFleetStore, type FleetStore } from './fleet/fleet.ts';
import { createOnlineHistoryStore, type OnlineHistoryStore } from './fleet/onlineHistory.ts';
import { createPositionStore, type PositionStore } from './fleet/positions.ts';
import { createReportRemovalStore, type ReportRemovalStore } from './fleet/reportRemoval.ts';
import { createLinkCredentialStore, type LinkCredentialStore } from './links/linkCredentials.ts';
import { createLinkListStore, type LinkListStore } from './links/linkList.ts';
import { type ArchiveStore, createArchiveStore } from './recordings/archives.ts';
import { createEvidenceHoldStore, type EvidenceHoldStore } from './recordings/evidenceHolds.ts';
import { createRecordingPolicyStore, type RecordingPolicyStore } from './recordings/recordingPolicies.ts';
import { createSegmentStore, type SegmentStore } from './recordings/segments.ts';
import { createMissingTranslationStore, type MissingTranslationStore } from './system/missingTranslations.ts';
import { createSettingStore, type SettingStore } from './system/settings.ts';

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
