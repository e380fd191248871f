// The demo's firmware images: bytes that are the same in every run, and what is known of the models that take them.
import { createHash } from 'node:crypto';
import {
  FIRMWARE_IMAGES_PATH,
  FIRMWARE_MODELS_PATH,
  type FirmwareImage,
  type FirmwareModelContent,
  type NewFirmwareImage,
} from '../../shared/protocol/api/firmware/images.ts';
import {
  UPLOAD_BEGIN_PATH,
  UPLOAD_PART_PATH,
  type Upload,
  type UploadBegin,
} from '../../shared/protocol/api/uploads/uploads.ts';
import type { DemoSession } from '../members/demoSession.ts';

type ImageContent = Omit<NewFirmwareImage, 'upload'>;
type Session = Pick<DemoSession, 'get' | 'send' | 'sendBytes'>;

const KIBIBYTE = 1_024;

const ANY = { vendor: 'FLGLS', hardwareVersion: '', minimumVersion: '', part: 'terminal' } as const;
const IMAGES: readonly { readonly content: ImageContent; readonly bytes: number }[] = [
  {
    content: {
      ...ANY,
      name: 'FR-800 series 3.2.0',
      models: ['FR-8*'],
      firmwareVersion: '3.2.0',
      notes: 'Faster start of the cameras after the ignition is switched on.',
    },
    bytes: 96 * KIBIBYTE,
  },
  {
    content: {
      ...ANY,
      name: 'FR-600 series 2.9.1',
      models: ['FR-6*'],
      firmwareVersion: '2.9.1',
      notes: 'Time stamps of video no longer begin with 0.',
    },
    bytes: 160 * KIBIBYTE,
  },
];
const MODELS: readonly FirmwareModelContent[] = [
  {
    pattern: 'FR-8*',
    method: 'packages',
    manufacturerBytes: 5,
    window: 8,
    template: '',
    passthroughType: 0,
  },
];

/** Gives the image that the demo's task installs; undefined when an earlier run or somebody has left images. */
export async function addDemoImages(session: Session): Promise<FirmwareImage | undefined> {
  const known = await session.get<{ readonly rows: readonly object[] }>(FIRMWARE_IMAGES_PATH);
  if (known === undefined || known.rows.length > 0) return undefined;
  for (const model of MODELS) await session.send('POST', FIRMWARE_MODELS_PATH, model);
  const added: (FirmwareImage | undefined)[] = [];
  for (const [seed, { content, bytes }] of IMAGES.entries()) {
    added.push(await addImage(session, content, imageBytes(seed + 1, bytes)));
  }
  return added[0];
}

async function addImage(session: Session, content: ImageContent, data: Uint8Array): Promise<FirmwareImage | undefined> {
  const sha256 = createHash('sha256').update(data).digest('hex');
  const begin: UploadBegin = { purpose: 'firmware', bytes: data.length, sha256 };
  const upload = await session.send<Upload>('POST', UPLOAD_BEGIN_PATH, begin);
  if (upload === undefined) return undefined;
  await session.sendBytes(`${UPLOAD_PART_PATH}?id=${upload.id}&offset=0`, data);
  const image: NewFirmwareImage = { ...content, upload: upload.id };
  return session.send<FirmwareImage>('POST', FIRMWARE_IMAGES_PATH, image);
}

/** A linear congruential generator: noise, as compressed firmware looks. */
export function imageBytes(seed: number, count: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}
