// How the bounds on copies of backups are reached.
import { expect } from 'vitest';
import { COPY_ANSWER_LIMIT } from '../../../../server/backup/copy/bucket/bucketRequest.ts';
import { COPY_PARTS_LIMIT, PART_BYTES } from '../../../../server/backup/copy/parts.ts';
import { COPY_REMOVALS_LIMIT, CopyRemovals } from '../../../../server/backup/copy/removals.ts';
import { uploadCopy } from '../../../../server/backup/copy/uploadCopy.ts';
import { openCopyScene } from '../../../support/backup/bucket/copyScene.ts';
import { openStandInBucket } from '../../../support/backup/bucket/standInBucket.ts';
import { fakeSettings } from '../../../support/backup/fakeSettings.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';

const parts: LimitCase = {
  limit: COPY_PARTS_LIMIT,
  open: async (onLimit) => {
    const { bucket, path } = await openCopyScene(await openStandInBucket());
    // Too large for a test: a file that isn't there is found out after the limit.
    const upload = (bytes: number) => {
      const source = { path: `${path}/none`, file: 'none', bytes, sha256: '' };
      const deps = { bucket, onLimit, pause: async () => undefined, isAlone: async () => true };
      return uploadCopy(source, deps, new AbortController().signal);
    };
    return {
      upTo: async () => {
        await expect(upload(COPY_PARTS_LIMIT.max * PART_BYTES)).rejects.toThrow('ENOENT');
      },
      beyond: async () => {
        expect(await upload(COPY_PARTS_LIMIT.max * PART_BYTES + 1)).toMatchObject({ ok: false, fault: 'too-large' });
      },
    };
  },
};

const answer: LimitCase = {
  limit: COPY_ANSWER_LIMIT,
  open: async (onLimit) => {
    const standIn = await openStandInBucket();
    const { bucket } = await openCopyScene(standIn, { onLimit });
    const remove = async (bytes: number) => {
      standIn.misbehave = () => ({ body: 'x'.repeat(bytes) });
      return bucket.remove('any', new AbortController().signal);
    };
    return {
      upTo: async () => expect(await remove(COPY_ANSWER_LIMIT.max)).toMatchObject({ ok: true }),
      beyond: async () => expect(await remove(COPY_ANSWER_LIMIT.max + 1)).toMatchObject({ fault: 'copy-unreachable' }),
    };
  },
};

const removals: LimitCase = {
  limit: COPY_REMOVALS_LIMIT,
  open: (onLimit) => {
    const waiting = new CopyRemovals({ settings: fakeSettings().settings, onLimit });
    return {
      upTo: async () => {
        for (let count = 0; count < COPY_REMOVALS_LIMIT.max; count++) await waiting.add(`f${count}`);
        expect(await waiting.list()).toHaveLength(COPY_REMOVALS_LIMIT.max);
      },
      beyond: async () => {
        await waiting.add('another');
        const files = await waiting.list();
        expect([files.length, files[0], files.at(-1)]).toEqual([COPY_REMOVALS_LIMIT.max, 'f1', 'another']);
      },
    };
  },
};

describeLimits('Copies of backups', [parts, answer, removals]);
