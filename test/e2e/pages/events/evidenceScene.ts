// An event of a simulated terminal with all that is kept of events: recordings of known content, pictures and a video file.
import type { Page } from 'playwright-core';
import { AdasType } from '../../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../../server/device/jt808/codec/message.ts';
import { type Clip, loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import type { AlarmFile } from '../../../../simulator/evidence/alarmFiles.ts';
import { SimulatedTerminal } from '../../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import type { Product } from '../../../support/gateway/product.ts';
import { recordInto } from '../../../support/gateway/recordInto.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { BUSES, startEventScene, TODAY } from './eventScene.ts';

const [BUS] = BUSES;
const EVENT_NAME = 'Forward collision warning';
/** Seconds before and after the alarm in the file that the terminal has of it. */
export const ALARM_VIDEO_SECONDS = 2;
/** A vehicle with an alarm of a severity whose recordings are held. */
const VEHICLE: VehicleProfile = {
  deviceId: BUS?.deviceId ?? '',
  name: BUS?.name ?? '',
  number: BUS?.number ?? '',
  plate: BUS?.plate ?? '',
  edition: '2019',
  channels: 2,
  lapShare: 0,
  quirks: { attachments: { loseEveryBlock: 3 } },
  script: [
    {
      kind: 'safety',
      atSeconds: 1,
      alarm: { item: 'adas', type: AdasType.ForwardCollision, level: 2 },
      files: { channel: 1, pictures: 1, videoSeconds: ALARM_VIDEO_SECONDS },
    },
  ],
};
/** Recorded time around the start of the scene; the event begins within seconds of it. */
const RECORDED_MS = { before: 60_000, after: 120_000 };

export interface EvidenceScene {
  /** Today Event with the event in its list. */
  openTodayEvent(): Promise<Page>;
  /** The event's panel. */
  openEvent(page: Page): Promise<void>;
  /** The files that the terminal has of the alarm, as they were requested. */
  alarmFiles(): Promise<readonly AlarmFile[]>;
  /** Messages that the terminal has received, oldest first. */
  readonly heard: readonly MessageBody[];
  close(): Promise<void>;
}

export async function startEvidenceScene(): Promise<EvidenceScene> {
  const [scene, clip] = await Promise.all([startEventScene(), loadDemoClip('road')]);
  const startedMs = Date.now();
  await record(scene.product, clip, startedMs);
  const heard: MessageBody[] = [];
  let isOnline = false;
  const terminal = new SimulatedTerminal({
    profile: VEHICLE,
    gateway: { host: '127.0.0.1', port: scene.product.jt808Port },
    clip,
    onMessage: (body) => heard.push(body),
    onOnline: (online) => {
      isOnline = online;
    },
    // Its script begins when it has signed in: an alarm from before would be a late one.
    now: () => (isOnline ? Date.now() : startedMs),
  });
  terminal.start();
  return {
    heard,
    openTodayEvent: async () => {
      const page = await scene.openPage('chief', TODAY);
      await rowOf(page).waitFor();
      return page;
    },
    openEvent: async (page) => {
      await rowOf(page).click();
      await page.getByRole('region', { name: EVENT_NAME }).waitFor();
    },
    alarmFiles: async () => {
      const request = await waitFor('0x9208', () => heard.find((body) => body.kind === 'attachmentRequest'));
      return request === undefined ? [] : terminal.alarmFiles(request);
    },
    close: async () => {
      terminal.stop();
      await scene.close();
    },
  };
}

const rowOf = (page: Page) => page.locator('[data-event-id]').filter({ hasText: EVENT_NAME });

async function record(product: Product, clip: Clip, aroundMs: number): Promise<void> {
  const spans = [{ fromMs: aroundMs - RECORDED_MS.before, toMs: aroundMs + RECORDED_MS.after }];
  await recordInto(product, VEHICLE.deviceId, [{ channel: 1, clip, spans }]);
}
