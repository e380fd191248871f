// Rules, members and senders of notifications as tests need them: a bus of the north, and whoever is told of it.
import { buildFacts, type StoredFacts } from '../../../server/notify/rules/buildFacts.ts';
import type { NotifyFacts, ToldEvent } from '../../../server/notify/rules/notifyFacts.ts';
import type { StoredNotifyMember } from '../../../server/store/notify/notifyMembers.ts';
import type { NotifyDevice } from '../../../server/store/notify/notifyPlaces.ts';
import type { StoredNotifyRule } from '../../../server/store/notify/notifyRules.ts';
import type { NamedSender } from '../../../server/store/notify/notifySenderNames.ts';
import type { NotifyRuleContent, NotifyStep } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { FIRST_CHOICES } from '../../../shared/protocol/notify/notifyChoices.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

export const NORTH = 1;
export const SOUTH = 2;
/** Buses, with night buses in it, belong to the north, trucks to the south. */
export const BUSES = 10;
export const NIGHT_BUSES = 11;
const TRUCKS = 20;
/** Friday 20 November 2026, noon. */
export const NOON_MS = Date.parse('2026-11-20T12:00Z');

export const MAIL: NamedSender = { id: 1, name: 'Mail', kind: 'email', enabled: true };
export const SMS: NamedSender = { id: 2, name: 'SMS', kind: 'sms', enabled: true };
export const HOOK: NamedSender = { id: 3, name: 'Hook', kind: 'webhook', enabled: true };
export const PUSH: NamedSender = { id: 4, name: 'Push', kind: 'push', enabled: true };

export function aStep(change: Partial<NotifyStep> = {}): NotifyStep {
  const deliveries = [{ sender: MAIL.id, template: 0 }];
  return { afterMinutes: 0, deliveries, members: [], roles: [], addresses: [], ...change };
}

/** To a mail address, of all events. */
export function aRuleContent(change: Partial<NotifyRuleContent> = {}): NotifyRuleContent {
  return {
    name: 'Rule',
    enabled: true,
    types: [],
    severities: [],
    deviceGroups: [],
    devices: [],
    coversGateway: false,
    schedule: [],
    timeZone: 'UTC',
    steps: [aStep({ addresses: ['desk@example.com'] })],
    intervalMinutes: 0,
    repeatMinutes: 0,
    digestMinutes: 0,
    quietHours: [],
    criticalPasses: true,
    membersChoose: true,
    language: 'en',
    ...change,
  };
}

export function aRule(change: Partial<StoredNotifyRule> = {}): StoredNotifyRule {
  return {
    ...aRuleContent(),
    id: 1,
    memberGroup: NORTH,
    version: 1,
    changedAtMs: wallMs(0),
    changedBy: 'ann',
    ...change,
  };
}

export function aMember(change: Partial<StoredNotifyMember> = {}): StoredNotifyMember {
  return {
    id: 7,
    username: 'ann',
    displayName: '',
    email: 'ann@example.com',
    phone: '+886912345678',
    language: 'en',
    timeZone: 'UTC',
    disabled: false,
    expiresAtMs: 0,
    role: undefined,
    hasSystem: false,
    memberGroups: new Set([NORTH]),
    pushBrowsers: 1,
    channels: FIRST_CHOICES.channels,
    quietHours: [],
    ...change,
  };
}

export function aNotifyDevice(change: Partial<NotifyDevice> = {}): NotifyDevice {
  return { deviceId: 'BUS1', name: 'Bus 1', archiveNumber: 1, deviceGroup: BUSES, timeZone: '', ...change };
}

const NIGHT_BUS = aNotifyDevice({ deviceId: 'NIGHT1', archiveNumber: 2, deviceGroup: NIGHT_BUSES });
const TRUCK = aNotifyDevice({ deviceId: 'TRUCK1', archiveNumber: 3, deviceGroup: TRUCKS });

export function storedFacts(change: Partial<StoredFacts> = {}): StoredFacts {
  return {
    rules: [aRule()],
    members: [aMember()],
    senders: [MAIL, SMS, HOOK, PUSH],
    places: {
      devices: [aNotifyDevice(), NIGHT_BUS, TRUCK],
      parents: new Map([
        [BUSES, undefined],
        [NIGHT_BUSES, BUSES],
        [TRUCKS, undefined],
      ]),
      owners: new Map([
        [BUSES, new Set([NORTH])],
        [NIGHT_BUSES, new Set([NORTH])],
        [TRUCKS, new Set([SOUTH])],
      ]),
    },
    ...change,
  };
}

export function someFacts(change: Partial<StoredFacts> = {}): NotifyFacts {
  return buildFacts(storedFacts(change));
}

export function aToldEvent(change: Partial<ToldEvent> = {}): ToldEvent {
  return {
    device: { archiveNumber: 1 },
    type: 'speeding',
    severity: 'major',
    beginAtMs: NOON_MS,
    isLate: false,
    ...change,
  };
}
