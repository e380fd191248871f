// Five hundred rules of a member group with ten thousand devices, in the shapes that rules have.
import type { StoredFacts } from '../../../server/notify/rules/buildFacts.ts';
import type { StoredNotifyRule } from '../../../server/store/notify/notifyRules.ts';
import {
  aMember,
  aNotifyDevice,
  aRule,
  aStep,
  HOOK,
  MAIL,
  NORTH,
  PUSH,
  SMS,
} from '../../support/notify/notifyFacts.ts';

export const DEVICES = 10_000;
export const TYPES = 40;
const GROUPS = 200;
const MEMBERS = 200;
const NAMED_DEVICES = 40;
const ZONES = ['', 'Asia/Taipei', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York'];
const NIGHT = { days: [1, 2, 3, 4, 5], fromMinute: 22 * 60, toMinute: 6 * 60 };
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Each tells of few events; what differs is by what the others are left out. */
export const RULE_SHAPES = ['types', 'groups', 'devices', 'schedules', 'intervals', 'escalation'] as const;
export type RuleShape = (typeof RULE_SHAPES)[number];

export const typeName = (at: number): string => `type-${at % TYPES}`;

export function rulesOf(shapes: readonly RuleShape[], count: number): StoredNotifyRule[] {
  if (shapes.length === 0) return [];
  return Array.from({ length: count }, (_, at) => {
    const shape = shapes[at % shapes.length] ?? 'types';
    return aRule({ id: at + 1, name: `Rule ${at}`, ...SHAPES[shape](at) });
  });
}

const SHAPES: Readonly<Record<RuleShape, (at: number) => Partial<StoredNotifyRule>>> = {
  types: (at) => ({ types: [typeName(at), typeName(at + 7)], deviceGroups: [groupOf(at)] }),
  groups: (at) => ({ deviceGroups: [groupOf(at)], severities: ['critical'] }),
  devices: (at) => ({
    devices: Array.from({ length: NAMED_DEVICES }, (_, each) => deviceName(at * NAMED_DEVICES + each)),
  }),
  // Each hour of the day has its rules; by the time zones of the devices.
  schedules: (at) => ({
    deviceGroups: [groupOf(at)],
    timeZone: '',
    schedule: [{ days: ALL_DAYS, fromMinute: (at % 24) * 60, toMinute: (at % 24) * 60 + 59 }],
  }),
  intervals: (at) => ({ deviceGroups: [groupOf(at)], intervalMinutes: 10 + (at % 60) }),
  escalation: (at) => ({
    deviceGroups: [groupOf(at)],
    severities: ['critical', 'major'],
    quietHours: [NIGHT],
    timeZone: '',
    digestMinutes: at % 2 === 0 ? 0 : 5,
    steps: [0, 5, 15].map((afterMinutes) =>
      aStep({
        afterMinutes,
        deliveries: [MAIL, SMS].map(({ id }) => ({ sender: id, template: 0 })),
        members: [1 + (at % MEMBERS), 1 + ((at + 1) % MEMBERS)],
      }),
    ),
  }),
};

export function fleetFacts(): Omit<StoredFacts, 'rules'> {
  const groups = Array.from({ length: GROUPS }, (_, at) => groupOf(at));
  return {
    members: Array.from({ length: MEMBERS }, (_, at) => aMember({ id: 1 + at, username: `member${at}` })),
    senders: [MAIL, SMS, HOOK, PUSH],
    places: {
      devices: Array.from({ length: DEVICES }, (_, at) =>
        aNotifyDevice({
          deviceId: deviceName(at),
          archiveNumber: 1 + at,
          deviceGroup: groupOf(at),
          timeZone: ZONES[at % ZONES.length] ?? '',
        }),
      ),
      parents: new Map(groups.map((group) => [group, undefined])),
      owners: new Map(groups.map((group) => [group, new Set([NORTH])])),
    },
  };
}

const groupOf = (at: number): number => 1 + (at % GROUPS);

const deviceName = (at: number): string => `DEV${at % DEVICES}`;
