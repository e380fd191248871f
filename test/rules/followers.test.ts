// Who follows what happens in the gateway: what the topics declare is what the parts do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChangeBus } from '../../server/bus/changeBus.ts';
import type { Topic } from '../../server/bus/topic.ts';
import { ReportFeed } from '../../server/device/reportFeed.ts';
import { createEventTopics } from '../../server/events/engine/eventTopics.ts';
import { noFaults } from '../support/fakes/noFaults.ts';
import { filesIn, repository } from './sourceFiles.ts';

type AnyTopic = Pick<Topic<never, string>, 'followers'>;

/** By the word that stands before `.subscribe`. */
function declared(): string[] {
  const topics: Record<string, AnyTopic> = {
    feed: new ReportFeed(noFaults),
    ...createChangeBus(noFaults),
    ...createEventTopics(noFaults),
  };
  return Object.entries(topics).flatMap(([name, { followers }]) => followers.map((each) => `${name}: ${each}`));
}

function subscribed(): string[] {
  const texts = filesIn(repository, ['server'], /\.ts$/).map((path) => readFileSync(join(repository, path), 'utf8'));
  return texts.flatMap((text) => [
    ...[...text.matchAll(/(\w+)\.subscribe\(\s*'([^']+)'/g)].map(([, topic, follower]) => `${topic}: ${follower}`),
    ...[...text.matchAll(/followRecords\(\s*[\w.]+,\s*'([^']+)'/g)].map(
      ([, follower]) => `recordsChanged: ${follower}`,
    ),
  ]);
}

describe('each topic', () => {
  it('is followed by those that it declares, each in one place', () => {
    expect(subscribed().sort()).toEqual(declared().sort());
  });
});
