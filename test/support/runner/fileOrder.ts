import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files of one project together, so that a worker which has loaded what they share goes on to the next of them; within it,
 * those first that are known to take long, so that none of them is left for the end, when only one worker has work.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => byProject(one, other) || weightOf(other) - weightOf(one));
  }
}

/** Those with the longest files first. */
const PROJECTS = ['server', 'dom', 'unit', 'rules', 'e2e', 'browser'];

/** About so many seconds; every other file takes less, and the larger ones of them longer. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/server/ports/fuzz.test.ts': 110,
  'test/server/events/evidence/pictures.test.ts': 32,
  'test/server/http/gateway.test.ts': 19,
  'test/server/device/connectionTest.test.ts': 10,
  'test/server/device/adverse.test.ts': 18,
  'test/server/fault.test.ts': 26,
  'test/server/store/migrations.test.ts': 18,
  'test/server/stream/remote/remotePlayback.test.ts': 11,
  'test/server/fleet/updates.test.ts': 13,
  'test/server/recording/recorder.test.ts': 10,
  'test/server/app/video.test.ts': 10,
  'test/e2e/pages/eventconfig.test.ts': 62,
  'test/e2e/pages/events/eventdefine.test.ts': 59,
  'test/e2e/pages/devicegroup.test.ts': 55,
  'test/e2e/pages/events/eventPages.test.ts': 52,
  'test/e2e/pages/membership.test.ts': 45,
  'test/e2e/pages/linksAndAudit.test.ts': 48,
  'test/e2e/remote/remoteControls.test.ts': 49,
  'test/e2e/pages/dashboard.test.ts': 44,
  'test/e2e/playback/playback.test.ts': 45,
  'test/e2e/pages/journey.test.ts': 36,
  'test/e2e/playback/playbackExport.test.ts': 35,
  'test/e2e/remote/remotePlaying.test.ts': 34,
  'test/e2e/shell/access.test.ts': 29,
  'test/e2e/live/liveNetwork.test.ts': 23,
  'test/e2e/shell/layout.test.ts': 33,
};

function byProject(one: TestSpecification, other: TestSpecification): number {
  return PROJECTS.indexOf(one.project.name) - PROJECTS.indexOf(other.project.name);
}

function weightOf({ moduleId }: TestSpecification): number {
  return Object.entries(SECONDS).find(([file]) => moduleId.endsWith(`/${file}`))?.[1] ?? 0;
}
