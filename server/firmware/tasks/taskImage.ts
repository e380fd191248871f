// What a task needs of its image, and of the model of a terminal.
import type { FirmwareModelContent } from '../../../shared/protocol/api/firmware/images.ts';
import type { ImageDemands } from '../rules/fitting.ts';

export interface TaskImage extends ImageDemands {
  readonly id: number;
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface TaskImages {
  find(id: number, memberGroup: number): Promise<TaskImage | undefined>;
  /** Also one that was deleted since the task began. */
  findForTask(id: number, memberGroup: number): Promise<TaskImage | undefined>;
  /** Its path, once its content has been compared with its hash; undefined where it is damaged or gone. */
  verifiedFile(image: TaskImage): Promise<string | undefined>;
}

export type ModelRecord = Omit<FirmwareModelContent, 'pattern'>;
/** By the longest pattern that fits; undefined for a model that nothing is known of. */
export type ModelOf = (memberGroup: number, model: string) => Promise<ModelRecord | undefined>;

/** What nothing is known of gets what the standard has, and as much at a time as the most cautious terminal takes. */
export const UNKNOWN_MODEL: ModelRecord = {
  method: 'packages',
  manufacturerBytes: 5,
  window: 1,
  template: '',
  passthroughType: 0,
};
