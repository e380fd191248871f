// How the limits of firmware images and their downloads are reached.
import { expect, onTestFinished } from 'vitest';
import {
  DOWNLOADS_LIMIT,
  IMAGE_LINKS_LIMIT,
  ImageLinkTable,
  LINK_DOWNLOADS_LIMIT,
} from '../../../../server/firmware/images/imageLinkTable.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { FIRMWARE_IMAGES_LIMIT } from '../../../../server/store/firmware/firmwareImages.ts';
import { FIRMWARE_MODELS_LIMIT } from '../../../../server/store/firmware/firmwareModels.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';

const ADDRESS = '192.0.2.1';
const SHA256 = 'a'.repeat(64);
const CONTENT = {
  name: 'Recorder',
  vendor: '',
  models: ['MDVR'],
  hardwareVersion: '',
  firmwareVersion: '2.0',
  minimumVersion: '',
  part: 'terminal',
  notes: '',
} as const;
const MODEL = { method: 'http', manufacturerBytes: 5, window: 8, template: '', passthroughType: 0 } as const;

async function openStores(onLimit: OnLimit) {
  const { db, close } = await openTestDatabase('sqlite');
  onTestFinished(() => close());
  const stores = createStores(db, onLimit);
  return { stores, memberGroup: await stores.memberGroups.insert({ name: 'Depot' }) };
}

const images: LimitCase = {
  limit: FIRMWARE_IMAGES_LIMIT,
  open: async (onLimit) => {
    const { stores, memberGroup } = await openStores(onLimit);
    const image = { memberGroup, content: CONTENT, sha256: SHA256, bytes: 1, addedAtMs: 1, addedBy: 'Ann' };
    const add = () => stores.firmwareImages.insert({ ...image, content: { ...CONTENT, models: [...CONTENT.models] } });
    return {
      upTo: async () => {
        for (let at = 0; at < FIRMWARE_IMAGES_LIMIT.max; at++) expect((await add()).ok).toBe(true);
      },
      beyond: async () => expect(await add()).toEqual({ ok: false, reason: 'too-many' }),
    };
  },
};

const models: LimitCase = {
  limit: FIRMWARE_MODELS_LIMIT,
  open: async (onLimit) => {
    const { stores, memberGroup } = await openStores(onLimit);
    const add = (at: number) =>
      stores.firmwareModels.insert({ memberGroup }, { content: { ...MODEL, pattern: `MDVR-${at}` }, by: '', atMs: 1 });
    return {
      upTo: async () => {
        for (let at = 0; at < FIRMWARE_MODELS_LIMIT.max; at++) expect((await add(at)).ok).toBe(true);
      },
      beyond: async () => expect(await add(FIRMWARE_MODELS_LIMIT.max)).toEqual({ ok: false, reason: 'too-many' }),
    };
  },
};

function openLinks(onLimit: OnLimit) {
  const { runAfter } = new ManualTimers();
  const table = new ImageLinkTable({ baseUrl: () => '', now: () => 0, runAfter, onLimit });
  const session = {
    deviceId: 'BUS1',
    incarnation: 1,
    remoteAddress: ADDRESS,
    localAddress: ADDRESS,
    relaxedMediaAddress: false,
  };
  const image = { file: '', bytes: 1, sha256: SHA256, vendor: '', firmwareVersion: '2.0', partCode: 0 };
  const beforeEnd = async () => true;
  const link = () => table.open({ session, image, untilMs: 60_000, onBytes: () => undefined, beforeEnd });
  const download = () => {
    const found = table.find(link()?.url ?? '', ADDRESS);
    if (found === undefined) throw new Error('no download');
    return found;
  };
  return { link, download };
}

const links: LimitCase = {
  limit: IMAGE_LINKS_LIMIT,
  open: (onLimit) => {
    const { link } = openLinks(onLimit);
    return {
      upTo: () => {
        for (let at = 0; at < IMAGE_LINKS_LIMIT.max; at++) expect(link()).toBeDefined();
      },
      beyond: () => expect(link()).toBeUndefined(),
    };
  },
};

const downloadsOfLink: LimitCase = {
  limit: LINK_DOWNLOADS_LIMIT,
  open: (onLimit) => {
    const download = openLinks(onLimit).download();
    return {
      upTo: () => {
        for (let at = 0; at < LINK_DOWNLOADS_LIMIT.max; at++) expect(download.enter()).toBeDefined();
      },
      beyond: () => expect(download.enter()).toBeUndefined(),
    };
  },
};

const downloads: LimitCase = {
  limit: DOWNLOADS_LIMIT,
  open: (onLimit) => {
    const { download } = openLinks(onLimit);
    return {
      upTo: () => {
        for (let at = 0; at < DOWNLOADS_LIMIT.max; at++) expect(download().enter()).toBeDefined();
      },
      beyond: () => expect(download().enter()).toBeUndefined(),
    };
  },
};

export const imageCases: readonly LimitCase[] = [images, models, links, downloadsOfLink, downloads];
