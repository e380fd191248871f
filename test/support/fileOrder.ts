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
  'test/server/ports/fuzz.test.ts': 57,
  'test/server/http/gateway.test.ts': 21,
  'test/server/device/connectionTest.test.ts': 20,
  'test/server/device/adverse.test.ts': 19,
  'test/server/fault.test.ts': 18,
  'test/server/store/migrations.test.ts': 18,
  'test/server/playback/remotePlayback.test.ts': 17,
  'test/server/dashboard/updates.test.ts': 16,
  'test/server/recording/recorder.test.ts': 13,
  'test/server/video.test.ts': 12,
  'test/e2e/pages/devicegroup.test.ts': 79,
  'test/e2e/pages/membership.test.ts': 76,
  'test/e2e/pages/linksAndAudit.test.ts': 67,
  'test/e2e/remoteControls.test.ts': 55,
  'test/e2e/pages/dashboard.test.ts': 53,
  'test/e2e/playback.test.ts': 45,
  'test/e2e/pages/journey.test.ts': 40,
  'test/e2e/playbackExport.test.ts': 39,
  'test/e2e/remotePlaying.test.ts': 37,
  'test/e2e/shell/access.test.ts': 34,
  'test/e2e/liveNetwork.test.ts': 24,
  'test/e2e/shell/layout.test.ts': 34,
};

function byProject(one: TestSpecification, other: TestSpecification): number {
  return PROJECTS.indexOf(one.project.name) - PROJECTS.indexOf(other.project.name);
}

function weightOf({ moduleId }: TestSpecification): number {
  return Object.entries(SECONDS).find(([file]) => moduleId.endsWith(`/${file}`))?.[1] ?? 0;
}
