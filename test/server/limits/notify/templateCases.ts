// How the limits of templates, and of the texts that they make, are reached.
import { expect, onTestFinished } from 'vitest';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { DIGEST_LINES_LIMIT } from '../../../../server/notify/templates/digestLines.ts';
import { MESSAGE_TEXT_LIMIT, SMS_SEGMENTS_LIMIT, wholeBody } from '../../../../server/notify/templates/escaping.ts';
import { MessageComposer } from '../../../../server/notify/templates/messageComposer.ts';
import { MESSAGE_WORDS } from '../../../../server/notify/templates/presets/messageWords.ts';
import { DIGEST_EVENTS_LIMIT } from '../../../../server/store/notify/digestEvents.ts';
import { TEMPLATES_LIMIT } from '../../../../server/store/notify/notifyTemplates.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { eventRow } from '../../../support/eventRow.ts';
import { notifyMessageRow } from '../../../support/notify/notifyMessageRow.ts';
import { storedMessage } from '../../../support/notify/notifyMessages.ts';
import { templateContent } from '../../../support/templateContents.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';

async function openStores(onLimit: OnLimit) {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  return { db: database.db, stores: createStores(database.db, onLimit) };
}

const CHANGE = { by: 'ann', atMs: wallMs(1) };

const templates: LimitCase = {
  limit: TEMPLATES_LIMIT,
  open: async (onLimit) => {
    const { notifyTemplates } = (await openStores(onLimit)).stores;
    const add = async (name: string) => (await notifyTemplates.add(templateContent({ name }), CHANGE)).ok;
    return {
      upTo: async () => {
        for (let count = 0; count < TEMPLATES_LIMIT.max; count++) expect(await add(`t${count}`)).toBe(true);
      },
      beyond: async () => {
        expect(await add('one more')).toBe(false);
        expect(await notifyTemplates.all()).toHaveLength(TEMPLATES_LIMIT.max);
      },
    };
  },
};

const digestEvents: LimitCase = {
  limit: DIGEST_EVENTS_LIMIT,
  open: async (onLimit) => {
    const { db, stores } = await openStores(onLimit);
    const id = await addDigest(db, await stores.memberGroups.insert({ name: 'North' }));
    const join = async (from: number, to: number) => {
      const rows = Array.from({ length: to - from }, (_, index) => from + index);
      for (let start = 0; start < rows.length; start += 1_000) {
        const values = rows.slice(start, start + 1_000).map((event_id) => ({ message_id: id, event_id }));
        const timed = values.map((value) => ({ ...value, event_begin_at_ms: 1 }));
        await db.insertInto('notify_digest_event').values(timed).execute();
      }
    };
    return {
      upTo: async () => {
        await join(0, DIGEST_EVENTS_LIMIT.max);
        expect(await stores.digestEvents.idsOf(id)).toHaveLength(DIGEST_EVENTS_LIMIT.max);
      },
      beyond: async () => {
        await join(DIGEST_EVENTS_LIMIT.max, DIGEST_EVENTS_LIMIT.max + 1);
        const ids = await stores.digestEvents.idsOf(id);
        expect(ids).toHaveLength(DIGEST_EVENTS_LIMIT.max);
        expect(ids).not.toContain(DIGEST_EVENTS_LIMIT.max);
      },
    };
  },
};

type Db = Awaited<ReturnType<typeof openStores>>['db'];

async function addDigest(db: Db, memberGroup: number): Promise<number> {
  const row = notifyMessageRow({ member_group: memberGroup, digest_key: 'd' });
  return (await db.insertInto('notify_message').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

const digestLines: LimitCase = {
  limit: DIGEST_LINES_LIMIT,
  open: (onLimit) => {
    const bodyOf = async (events: number): Promise<string> => {
      const composed = await composerOf(events, onLimit).compose(storedMessage({ digestKey: 'd' }), { to: 'service' });
      return 'body' in composed ? composed.body : expect.fail('nothing was composed');
    };
    return {
      upTo: async () => expect(await bodyOf(DIGEST_LINES_LIMIT.max)).not.toContain('more'),
      beyond: async () => expect(await bodyOf(DIGEST_LINES_LIMIT.max + 1)).toContain('\nand 1 more\n'),
    };
  },
};

/** Its digests have so many events. */
function composerOf(events: number, onLimit: OnLimit): MessageComposer {
  const rows = Array.from({ length: events }, (_, index) => eventRow({ id: index + 1 }));
  const noTexts = new Map<string, string>();
  const wording = { typeName: (code: string) => code, eventWords: noTexts, events: noTexts, words: MESSAGE_WORDS.en };
  return new MessageComposer({
    stores: {
      eventList: { seenOf: async () => rows },
      eventMedia: { ofEvent: async () => [] },
      notifyTemplates: { find: async () => undefined },
      digestEvents: { idsOf: async () => [] },
    },
    wordings: { of: async () => wording },
    readPicture: async () => undefined,
    ruleZone: () => '',
    siteTitle: async () => 'Fleetglass',
    publicUrl: '',
    now: () => 1,
    onLimit,
  });
}

function textCase(limit: LimitCase['limit'], kind: 'email' | 'sms', most: number): LimitCase {
  return {
    limit,
    open: (onLimit) => ({
      upTo: () => expect(wholeBody(kind, 'x'.repeat(most), onLimit)).toHaveLength(most),
      beyond: () => expect(wholeBody(kind, 'x'.repeat(most + 1), onLimit)).toHaveLength(most),
    }),
  };
}

const SEPTETS_OF_A_PART = 153;

export const templateCases: readonly LimitCase[] = [
  templates,
  digestEvents,
  digestLines,
  textCase(MESSAGE_TEXT_LIMIT, 'email', MESSAGE_TEXT_LIMIT.max),
  textCase(SMS_SEGMENTS_LIMIT, 'sms', SMS_SEGMENTS_LIMIT.max * SEPTETS_OF_A_PART),
];
