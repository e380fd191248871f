import type { SignedInDevice } from '../../server/device/jt808/terminalAuthenticator.ts';
import type { Device } from '../../server/store/devices/devices.ts';
import { wallMs } from '../../shared/protocol/time.ts';

/** A device with one channel as its store reads it, of which nothing is known that a test does not name. */
export function aDevice(more: Partial<Device> = {}): Device {
  return {
    deviceId: 'BUS1',
    incarnation: 1,
    archiveNumber: 1,
    archiveId: 'BUS1',
    name: 'Bus 1',
    plate: '',
    terminal: undefined,
    edition: undefined,
    identity: undefined,
    authCodeHash: undefined,
    pendingCodeHash: undefined,
    signInAddress: undefined,
    approval: undefined,
    chn: 1,
    installchs: '1',
    ptzchs: '',
    talkchs: '',
    deviceGroup: undefined,
    disabled: false,
    anyMediaAddress: false,
    channelsFromZero: false,
    createdAtMs: wallMs(0),
    timeZone: '',
    ...more,
  };
}

/** The device behind a terminal's right code. */
export function aSignedInDevice(more: Partial<SignedInDevice> = {}): SignedInDevice {
  return {
    deviceId: 'BUS1',
    incarnation: 1,
    archiveNumber: 1,
    anyMediaAddress: false,
    channelsFromZero: false,
    chn: 1,
    ...more,
  };
}
