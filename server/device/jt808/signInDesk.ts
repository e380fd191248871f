import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Device, DeviceStore } from '../../store/devices.ts';
import type { UnknownTerminalStore } from '../../store/unknownTerminals.ts';
import { RegistrationResult } from './codec/codes.ts';
import type { Header } from './codec/header.ts';
import type { Authentication } from './codec/messages/authentication.ts';
import type { Registration } from './codec/messages/registration.ts';
import { createAuthCode, hashAuthCode, isRightCode, judgeRegistration } from './signIn.ts';

export type SignedInDevice = Pick<Device, 'deviceId' | 'anyMediaAddress' | 'channelsFromZero' | 'chn'>;

export interface RegistrationReplyFields {
  readonly result: RegistrationResult;
  /** Present with result 0 alone. */
  readonly code?: string;
}

export interface SignInDesk {
  register(header: Header, body: Registration, remoteAddress: string): Promise<RegistrationReplyFields>;
  /** The device behind a right code; undefined for everything else. */
  authenticate(header: Header, body: Authentication): Promise<SignedInDevice | undefined>;
}

export interface SignInStores {
  readonly devices: Pick<DeviceStore, 'findByTerminal' | 'update'>;
  readonly unknownTerminals: Pick<UnknownTerminalStore, 'note'>;
}

/** Lets terminals in, or notes them for an administrator. */
export function createSignInDesk(stores: SignInStores, now: () => number): SignInDesk {
  return {
    register: async (header, body, remoteAddress) => {
      const device = await stores.devices.findByTerminal(header.terminal.canonical);
      const identity = { manufacturer: body.manufacturer, terminalId: body.terminalId };
      const verdict = judgeRegistration(device, identity);
      if (verdict.kind === 'refuse' || device === undefined) {
        const at = wallMs(now());
        const result = verdict.kind === 'refuse' ? verdict.result : RegistrationResult.NoSuchTerminal;
        const deviceId = verdict.kind === 'refuse' && verdict.isKnownNumber ? device?.deviceId : undefined;
        await noteStranger(stores, { header, body, remoteAddress, at, deviceId });
        return { result };
      }
      const code = createAuthCode();
      const adopted = verdict.adopt === undefined ? {} : { identity: verdict.adopt };
      const change = { authCodeHash: hashAuthCode(code), edition: header.edition, terminal: header.terminal };
      await stores.devices.update(device.deviceId, { ...change, ...adopted });
      return { result: RegistrationResult.Ok, code };
    },
    authenticate: async (header, body) => {
      const device = await stores.devices.findByTerminal(header.terminal.canonical);
      return device !== undefined && !device.disabled && isRightCode(device, body.code) ? device : undefined;
    },
  };
}

interface Stranger {
  readonly header: Header;
  readonly body: Registration;
  readonly remoteAddress: string;
  readonly at: WallMs;
  readonly deviceId: string | undefined;
}

async function noteStranger(stores: SignInStores, stranger: Stranger): Promise<void> {
  const { header, body, deviceId } = stranger;
  const sighting = {
    terminal: header.terminal,
    edition: header.edition,
    manufacturer: body.manufacturer,
    model: body.model,
    terminalId: body.terminalId,
    plate: body.plate,
    plateColour: body.plateColour,
    address: stranger.remoteAddress,
    ...(deviceId === undefined ? {} : { deviceId }),
  };
  await stores.unknownTerminals.note(sighting, stranger.at);
}
