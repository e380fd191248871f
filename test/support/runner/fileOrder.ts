import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { type FileSeconds, readFileSeconds } from './fileSeconds.ts';

/**
 * The files of one project together, so that a worker which has loaded what they share goes on to the next of them; within it,
 * those first that take long, so that none of them is left for the end, when only one worker has work.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seconds = readFileSeconds();
    const placed = sorted.map((file) => {
      const path = relative(file.project.config.root, file.moduleId).replaceAll('\\', '/');
      return { file, project: file.project.name, path };
    });
    return placed.toSorted((one, other) => inTurn(one, other, seconds)).map(({ file }) => file);
  }
}

export interface PlacedFile {
  readonly project: string;
  /** Relative to the repository. */
  readonly path: string;
}

/** Projects with the longest files come first; files at the end are so short that they fill every gap. */
const PROJECTS = ['e2e', 'browser', 'server', 'domAlone', 'dom', 'unit', 'rules'];

export function inTurn(one: PlacedFile, other: PlacedFile, seconds: FileSeconds): number {
  const byProject = PROJECTS.indexOf(one.project) - PROJECTS.indexOf(other.project);
  return byProject || (seconds[other.path] ?? 0) - (seconds[one.path] ?? 0);
}
