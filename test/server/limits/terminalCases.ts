// Brings about every limit of the signalling of terminals and of what they report.
import type { Socket } from 'node:net';
import {
  ConnectionCaps,
  type ConnectionLimits,
  MEDIA_LIMITS,
  SIGNALLING_LIMITS,
} from '../../../server/device/connectionCaps.ts';
import { FleetWatch, HELD_ALARMS_LIMIT } from '../../../server/device/fleet/fleetWatch.ts';
import { MessageId, RegistrationResult } from '../../../server/device/jt808/codec/codes.ts';
import { encodeFrame } from '../../../server/device/jt808/codec/frame.ts';
import { encodeHeader, terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import {
  GUESS_TURNS_LIMIT,
  IdentityThrottle,
  REMEMBERED_GUESSERS_LIMIT,
} from '../../../server/device/jt808/identityThrottle.ts';
import { Inbox, TERMINAL_PACKAGES, UNAUTHENTICATED_PACKAGES } from '../../../server/device/jt808/inbox.ts';
import { ALL_WAITING_BYTES_LIMIT, InputQueue, WAITING_BYTES_LIMIT } from '../../../server/device/jt808/inputQueue.ts';
import { Outbox, UNSENT_BYTES_LIMIT } from '../../../server/device/jt808/outbox.ts';
import { REMEMBERED_REPLIES_LIMIT, RecentReplies } from '../../../server/device/jt808/recentReplies.ts';
import {
  ATTEMPTS_LIMIT,
  MESSAGES_LIMIT,
  SIGN_IN_TIMEOUT,
  SignallingSession,
  UNAUTHENTICATED_MESSAGES_LIMIT,
} from '../../../server/device/jt808/signallingSession.ts';
import { AUDIT_LIMIT, TerminalAudit } from '../../../server/device/jt808/terminalAudit.ts';
import {
  createTerminalAuthenticator,
  REFUSED_REGISTRATIONS_LIMIT,
  type TerminalAuthenticator,
} from '../../../server/device/jt808/terminalAuthenticator.ts';
import { ORDERS_LIMIT, TerminalOrders } from '../../../server/device/jt808/terminalOrders.ts';
import { DEVICE_POSITIONS_LIMIT, HELD_POSITIONS_LIMIT, PositionBuffer } from '../../../server/device/positionBuffer.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import type { Position } from '../../../server/store/positions.ts';
import type { Stores } from '../../../server/store/stores.ts';
import {
  createUnknownTerminalStore,
  UNKNOWN_TERMINALS_LIMIT,
  UNKNOWN_TERMINALS_SHARE,
} from '../../../server/store/unknownTerminals.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { ManualTimers } from '../../support/manualTimers.ts';
import { noFaults } from '../../support/noFaults.ts';
import { AUTHENTICATION, FakeSocket, FakeTerminal, REGISTRATION } from '../../unit/server/device/jt808/fakeTerminal.ts';
import { openTestDatabase } from '../store/testDatabase.ts';
import type { LimitCase } from './describeLimits.ts';

const AT = wallMs(1_795_000_000_000);
const never = new Promise<never>(() => undefined);
const noTimer = () => () => undefined;
const fail = (error: Error): never => {
  throw error;
};

function connections(limits: ConnectionLimits): LimitCase[] {
  const reach = (count: number, { isProven, spread }: { isProven: boolean; spread: boolean }) => {
    return (onLimit: OnLimit): void => {
      const caps = new ConnectionCaps({ limits, onLimit });
      for (let index = 0; index <= count; index++) {
        const remoteAddress = spread ? `10.0.${index >> 8}.${index & 255}` : '10.0.0.1';
        const socket = { remoteAddress, destroy: () => undefined } as unknown as Socket;
        caps.admit(socket);
        if (isProven) caps.spoke(socket);
        if (isProven) caps.proved(socket);
      }
    };
  };
  const { open, openByAddress, silent, silentByAddress } = limits;
  return [
    { limit: open, reach: reach(open.max, { isProven: true, spread: true }) },
    { limit: openByAddress, reach: reach(openByAddress.max, { isProven: true, spread: false }) },
    { limit: silent, reach: reach(silent.max, { isProven: false, spread: true }) },
    { limit: silentByAddress, reach: reach(silentByAddress.max, { isProven: false, spread: false }) },
  ];
}

function flood(onLimit: OnLimit, held: number): void {
  const socket = new FakeSocket();
  new InputQueue(socket.asSocket(), {
    waiting: { held },
    decode: (bytes) => [bytes],
    handle: () => never,
    onLimit,
    onFault: fail,
  });
  for (let chunk = 0; chunk < 20; chunk++) socket.emit('data', new Uint8Array(1_000));
}

const ACCEPTING: TerminalAuthenticator = {
  register: async () => ({ result: RegistrationResult.NoSuchTerminal }),
  authenticate: async () => ({
    deviceId: 'BUS1',
    incarnation: 1,
    anyMediaAddress: false,
    channelsFromZero: false,
    chn: 1,
  }),
};

function connect(onLimit: OnLimit) {
  const timers = new ManualTimers();
  const terminal = new FakeTerminal();
  new SignallingSession(terminal.socket.asSocket(), {
    authenticator: ACCEPTING,
    now: timers.now,
    after: timers.after,
    acknowledgedIds: new Set(),
    waiting: { held: 0 },
    onReport: () => true,
    onSignedIn: () => undefined,
    onEnded: () => undefined,
    onFault: fail,
    onLimit,
  });
  return { terminal, timers };
}

/** One of the packages of a registration. */
function packageOf({ total, number, bytes }: { total: number; number: number; bytes: number }): Uint8Array {
  const fields = {
    edition: '2019',
    protocolVersion: 1,
    terminal: terminalNumber('138', '2019'),
    serial: number,
  } as const;
  const form = { messageId: MessageId.registration, bodyLength: bytes, part: { total, number } };
  return encodeFrame(Uint8Array.from([...encodeHeader(fields, form), ...new Uint8Array(bytes)]));
}

function inbox(onLimit: OnLimit, isTrusted: boolean): Inbox {
  const made = new Inbox({ now: () => 0, after: noTimer, onMissing: () => undefined, onLimit });
  if (isTrusted) made.trust();
  return made;
}

function packages(isTrusted: boolean): LimitCase[] {
  const { sets, bytes } = isTrusted ? TERMINAL_PACKAGES : UNAUTHENTICATED_PACKAGES;
  return [
    {
      limit: sets,
      reach: (onLimit) => {
        const into = inbox(onLimit, isTrusted);
        for (let total = 2; total <= sets.max + 2; total++) into.push(packageOf({ total, number: 1, bytes: 1 }));
      },
    },
    {
      limit: bytes,
      reach: (onLimit) => {
        const into = inbox(onLimit, isTrusted);
        for (let number = 1; number <= bytes.max / 1_000 + 1; number++) {
          into.push(packageOf({ total: 65_535, number, bytes: 1_000 }));
        }
      },
    },
  ];
}

const registrationFrom = (address: string, number: number) => ({
  ...{ terminal: { canonical: `${number}`, raw: `${number}` }, edition: '2019', manufacturer: 'm', model: '' },
  ...{ terminalId: 't', plate: '', plateColour: 0, address },
});

async function fillUnknown(onLimit: OnLimit, addresses: number, count: number): Promise<void> {
  const database = await openTestDatabase('sqlite');
  try {
    const rows = Array.from({ length: count }, (_, number) => {
      const address = `10.0.0.${number % addresses}`;
      const terminal = { terminal_number: `${number}`, terminal_number_raw: `${number}`, edition: '2019' };
      const shown = { manufacturer: 'm', model: '', terminal_id: 't', plate: '', plate_colour: 0, device_id: null };
      const seen = { first_seen_at_ms: AT, last_seen_at_ms: AT, attempts: 1 };
      return { ...terminal, ...shown, ...seen, address, address_key: address };
    });
    await database.db.insertInto('unknown_terminal').values(rows).execute();
    const bounded = createUnknownTerminalStore(database.db, { onLimit });
    await bounded.note(registrationFrom('10.0.0.0', count), AT);
  } finally {
    await database.close();
  }
}

const position = (deviceId: string, incarnation = 1): Position => ({
  ...{ deviceId, incarnation, deviceTimeMs: AT, receivedAtMs: AT, latitude: 0, longitude: 0, altitudeM: 0 },
  ...{ speedKmh: 0, headingDeg: 0, alarmBits: 0xffff_ffff, statusBits: 0, extra: {} },
});

function hold(onLimit: OnLimit, devices: number, count: number): void {
  const onFault = (): void => undefined;
  const found = async () => undefined;
  const buffer = new PositionBuffer({
    ...{ store: { append: () => never }, devices: { findByDeviceId: found } },
    ...{ after: noTimer, onFault, onLimit },
  });
  const positions = Array.from({ length: devices }, (_, device) => position(`D${device}`));
  for (let index = 0; index < count; index += devices) {
    for (const each of positions) buffer.add([each]);
  }
}

const signIn: LimitCase[] = [
  {
    limit: SIGN_IN_TIMEOUT,
    reach: (onLimit) => connect(onLimit).timers.advance(SIGN_IN_TIMEOUT.max),
  },
  {
    limit: ATTEMPTS_LIMIT,
    reach: async (onLimit) => {
      const { terminal } = connect(onLimit);
      for (let serial = 0; serial <= ATTEMPTS_LIMIT.max; serial++) await terminal.say(REGISTRATION, serial);
    },
  },
  {
    limit: GUESS_TURNS_LIMIT,
    reach: (onLimit) => {
      const throttle = new IdentityThrottle(() => 0, onLimit);
      const claim = (guess: number) => ({ number: '1', address: 'a', identity: `${guess}`, isAtHome: false });
      for (let guess = 0; guess < 5; guess++) throttle.failed(claim(guess));
      for (let guess = 5; guess < 5 + 31; guess++) throttle.waitMs(claim(guess));
    },
  },
  {
    limit: REMEMBERED_GUESSERS_LIMIT,
    reach: (onLimit) => {
      const throttle = new IdentityThrottle(() => 0, onLimit);
      for (let guesser = 0; guesser <= REMEMBERED_GUESSERS_LIMIT.max; guesser++) {
        throttle.failed({ number: '1', address: `${guesser}`, identity: 'x', isAtHome: false });
      }
    },
  },
  {
    limit: AUDIT_LIMIT,
    reach: async (onLimit) => {
      const audit = new TerminalAudit({ add: async () => undefined }, onLimit);
      const shown = { deviceId: 'A', terminal: '1', manufacturer: 'm', terminalId: 't' };
      for (let entry = 0; entry <= AUDIT_LIMIT.max; entry++) {
        await audit.note({ action: 'terminal.mismatch', ...shown, address: `10.0.0.${entry}` }, AT);
      }
    },
  },
  {
    limit: REFUSED_REGISTRATIONS_LIMIT,
    reach: async (onLimit) => {
      const nothing = async () => undefined;
      const authenticator = createTerminalAuthenticator({
        stores: {
          devices: { findByTerminal: nothing, update: async () => true },
          unknownTerminals: { note: nothing, remove: nothing },
          audit: { add: nothing },
        },
        registry: new DeviceRegistry(() => 0),
        now: () => 0,
        onLimit,
      });
      const terminal = terminalNumber('138', '2019');
      const header = { messageId: 0x0100, edition: '2019', protocolVersion: 1, encryption: 0, terminal } as const;
      const caller = { remoteAddress: '10.0.0.1', sleep: async () => true };
      for (let serial = 0; serial <= REFUSED_REGISTRATIONS_LIMIT.max; serial++) {
        await authenticator.register({ ...header, serial, bodyLength: 0 }, REGISTRATION, caller);
      }
    },
  },
  { limit: UNKNOWN_TERMINALS_SHARE, reach: (onLimit) => fillUnknown(onLimit, 1, UNKNOWN_TERMINALS_SHARE.max) },
  { limit: UNKNOWN_TERMINALS_LIMIT, reach: (onLimit) => fillUnknown(onLimit, 20, UNKNOWN_TERMINALS_LIMIT.max) },
];

const messages: LimitCase[] = [
  { limit: WAITING_BYTES_LIMIT, reach: (onLimit) => flood(onLimit, 0) },
  { limit: ALL_WAITING_BYTES_LIMIT, reach: (onLimit) => flood(onLimit, ALL_WAITING_BYTES_LIMIT.max) },
  {
    limit: UNAUTHENTICATED_MESSAGES_LIMIT,
    reach: async (onLimit) => {
      const { terminal } = connect(onLimit);
      for (let serial = 0; serial <= UNAUTHENTICATED_MESSAGES_LIMIT.max; serial++) {
        await terminal.say({ kind: 'heartbeat' }, serial);
      }
    },
  },
  {
    limit: MESSAGES_LIMIT,
    reach: async (onLimit) => {
      const { terminal } = connect(onLimit);
      await terminal.say(AUTHENTICATION);
      for (let serial = 0; serial <= MESSAGES_LIMIT.max; serial++) await terminal.say({ kind: 'heartbeat' }, serial);
    },
  },
  ...packages(false),
  ...packages(true),
  {
    limit: REMEMBERED_REPLIES_LIMIT,
    reach: (onLimit) => {
      const replies = new RecentReplies(() => 0, onLimit);
      for (let frame = 0; frame <= REMEMBERED_REPLIES_LIMIT.max; frame++) {
        replies.remember(`${frame}`, { kind: 'heartbeat' });
      }
    },
  },
  {
    limit: UNSENT_BYTES_LIMIT,
    reach: (onLimit) => {
      const socket = new FakeSocket();
      const outbox = new Outbox(socket.asSocket(), onLimit);
      const terminal = terminalNumber('138', '2019');
      const header = { messageId: 2, edition: '2019', protocolVersion: 1, encryption: 0, terminal } as const;
      outbox.answerAs({ ...header, serial: 0, bodyLength: 0 });
      socket.writableLength = UNSENT_BYTES_LIMIT.max + 1;
      outbox.send({ kind: 'heartbeat' });
    },
  },
  {
    limit: ORDERS_LIMIT,
    reach: async (onLimit) => {
      const outbox = { send: () => ({ first: 0, last: 0 }) } as unknown as Outbox;
      const orders = new TerminalOrders({ outbox, after: noTimer, onLimit, onFault: noFaults }).forSession({
        channelsFromZero: false,
      });
      for (let order = 0; order < ORDERS_LIMIT.max; order++) void orders.stopTalk(1);
      await orders.ptz(1, { kind: 'zoom', increase: true });
    },
  },
];

const reports: LimitCase[] = [
  { limit: HELD_POSITIONS_LIMIT, reach: (onLimit) => hold(onLimit, 20, HELD_POSITIONS_LIMIT.max + 1) },
  { limit: DEVICE_POSITIONS_LIMIT, reach: (onLimit) => hold(onLimit, 1, DEVICE_POSITIONS_LIMIT.max + 1) },
  {
    limit: HELD_ALARMS_LIMIT,
    reach: (onLimit) => {
      const stores = {} as Pick<Stores, 'fleet' | 'alarmOnsets' | 'onlineHistory'>;
      const registry = new DeviceRegistry(() => 0);
      const watch = new FleetWatch({ registry, stores, now: () => AT, after: noTimer, onFault: fail, onLimit });
      for (let device = 0; device <= HELD_ALARMS_LIMIT.max / 32; device++)
        watch.report(position(`D${device}`, device + 1), false);
    },
  },
];

export const terminalCases: readonly LimitCase[] = [
  ...connections(SIGNALLING_LIMITS),
  ...connections(MEDIA_LIMITS),
  ...signIn,
  ...messages,
  ...reports,
];
