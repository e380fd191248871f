// The vehicles that `npm run demo` shows, and links to their cameras.
import { createSecret, hashSecret } from '../server/auth/secrets.ts';
import { channelBits } from '../server/device/channels.ts';
import { GeneralResult } from '../server/device/jt808/codec/codes.ts';
import type { StreamQuality } from '../server/media/channelKey.ts';
import type { Stores } from '../server/store/stores.ts';
import type { WallMs } from '../shared/protocol/time.ts';
import { type ClipName, viewOf } from './clip/clipList.ts';
import type { DemoAccount } from './demoAccounts.ts';
import { FLEET_SCRIPTS } from './fleetScripts.ts';
import type { VehicleProfile } from './vehicleProfile.ts';

/** The speed of a mobile network. */
const UPLOAD_BYTES_PER_SECOND = 400_000;

/** Four variants of the protocol: both editions, both widths of the media number, sound in both laws. */
export const DEMO_VEHICLES: readonly VehicleProfile[] = [
  {
    deviceId: 'BUS-101',
    name: 'Lake line 101',
    number: '13900000101',
    edition: '2019',
    plate: 'KAA-1011',
    channels: 1,
    lapShare: 0,
    script: FLEET_SCRIPTS['BUS-101'],
    odometerKm: 48_217.3,
    readsAloud: true,
    talkChannels: [1],
    hardware: { model: 'FR-810', hardwareVersion: 'B2', firmwareVersion: '3.1.4' },
    quirks: { uploads: { bytesPerSecond: UPLOAD_BYTES_PER_SECOND } },
  },
  {
    deviceId: 'BUS-104',
    name: 'Lake line 104',
    number: '13900000104',
    edition: '2013',
    plate: 'KAA-1044',
    channels: 4,
    lapShare: 0.25,
    script: FLEET_SCRIPTS['BUS-104'],
    odometerKm: 131_904.8,
    talkChannels: [1],
    ptzChannels: [1],
    hardware: { model: 'FR-840', hardwareVersion: 'B2', firmwareVersion: '3.1.2' },
    quirks: {
      audio: 'µ-law',
      firmware: { outcome: 'failed' },
      uploads: { format: 'raw', bytesPerSecond: UPLOAD_BYTES_PER_SECOND },
    },
  },
  {
    deviceId: 'BUS-106',
    name: 'Lake line 106',
    number: '13900000106',
    edition: '2013',
    plate: 'KAA-1066',
    channels: 6,
    lapShare: 0.5,
    script: FLEET_SCRIPTS['BUS-106'],
    odometerKm: 92_655.1,
    readsAloud: true,
    hardware: { model: 'FR-660', hardwareVersion: 'A7', firmwareVersion: '2.8.0' },
    quirks: {
      timestamps: 'from-zero',
      setsOnce: true,
      uploads: { format: 'packets', bytesPerSecond: UPLOAD_BYTES_PER_SECOND },
    },
  },
  {
    deviceId: 'BUS-108',
    name: 'Lake line 108',
    number: '13900000108',
    edition: '2019',
    plate: 'KAA-1088',
    channels: 8,
    lapShare: 0.75,
    script: FLEET_SCRIPTS['BUS-108'],
    odometerKm: 7_312.6,
    readsAloud: true,
    talkChannels: [1, 3],
    ptzChannels: [1, 2],
    hardware: { model: 'FR-880', hardwareVersion: 'B3', firmwareVersion: '3.1.4' },
    // It has no FTP: recordings on its card are fetched by playback.
    quirks: { simBytes: 10, hiSiliconHeader: true, refusals: { fileUpload: GeneralResult.NotSupported } },
  },
];

/** Which clip a channel's camera sends. */
export function clipNameOf(channel: number, quality: StreamQuality): ClipName {
  const view = viewOf(channel);
  return quality === 'sub' ? `${view}Sub` : view;
}

/** Puts the demo's devices into their group; devices of an earlier run stay unchanged. */
export async function addDemoDevices(stores: Stores, deviceGroup: number): Promise<void> {
  for (const vehicle of DEMO_VEHICLES) {
    if ((await stores.devices.findByDeviceId(vehicle.deviceId)) !== undefined) continue;
    await stores.devices.insert({
      deviceId: vehicle.deviceId,
      name: vehicle.name,
      plate: vehicle.plate,
      chn: vehicle.channels,
      ptzchs: channelBits(vehicle.channels, (channel) => vehicle.ptzChannels?.includes(channel) === true),
      talkchs: channelBits(vehicle.channels, (channel) => vehicle.talkChannels?.includes(channel) === true),
      deviceGroup,
      terminal: { canonical: vehicle.number, raw: vehicle.number.padStart(20, '0') },
    });
  }
}

const RECORDED_DAYS = 1;

/** Records all of them, so that playback has something to show; what somebody set in an earlier run stays. */
export async function addDemoPolicies({ recordingPolicies }: Stores): Promise<void> {
  const policies = await recordingPolicies.list();
  for (const { deviceId } of DEMO_VEHICLES) {
    if (policies.some((policy) => policy.deviceId === deviceId)) continue;
    const policy = { mode: 'always', quality: 'main', schedule: [], retentionDays: RECORDED_DAYS } as const;
    await recordingPolicies.set({ deviceId, channel: 0 }, policy);
  }
}

const ALL_CHANNELS = 2 ** 32 - 1;

/** A link that opens a vehicle's pages. */
export interface DemoLink {
  readonly deviceId: string;
  /** User name and credential, with which every address of a video page ends. */
  readonly tail: string;
}

/** Makes a fresh link to each vehicle; the secrets are stored nowhere else. */
export async function makeDemoLinks(stores: Stores, owner: DemoAccount, now: WallMs): Promise<DemoLink[]> {
  const links: DemoLink[] = [];
  for (const { deviceId } of DEMO_VEHICLES) {
    const credential = createSecret();
    const link = {
      ownerId: owner.userId,
      deviceId,
      channelMask: ALL_CHANNELS,
      kinds: ['live', 'control', 'playback', 'export', 'remote'] as const,
    };
    await stores.linkCredentials.insert({ ...link, secretHash: hashSecret(credential) }, now);
    links.push({ deviceId, tail: `${owner.username}/${credential}` });
  }
  return links;
}
