// What members do with their records about models of terminals.
import type { FirmwareModel, FirmwareModelContent } from '../../../shared/protocol/api/firmware/images.ts';
import {
  createRecordActs,
  type RecordActs,
  type RecordActsDeps,
  type RecordRules,
  refusalOfFields,
} from '../../records/recordActs.ts';

export type FirmwareModelActs = RecordActs<FirmwareModelContent, FirmwareModel>;

const RULES: RecordRules<FirmwareModelContent, FirmwareModel> = {
  subject: 'firmware.model',
  kind: 'firmwaremodel',
  nameOf: ({ pattern }) => pattern,
  tidy: (content) => ({
    ...content,
    pattern: content.pattern.trim(),
    packageIntervalMs: content.packageIntervalMs ?? 0,
  }),
  check: (model) => refusalOfFields(faultsOfModel(model)),
  auditFields: (model) => {
    const { pattern, method, manufacturerBytes, window, packageIntervalMs, template, passthroughType } = model;
    return { pattern, method, manufacturerBytes, window, packageIntervalMs, template, passthroughType };
  },
  uniqueField: 'pattern',
};

export function createFirmwareModelActs(deps: RecordActsDeps<FirmwareModelContent, FirmwareModel>): FirmwareModelActs {
  return createRecordActs(RULES, deps);
}

/** A vendor's text has to say where the image is. */
function faultsOfModel({ pattern, method, template }: FirmwareModelContent): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (pattern === '') faults.pattern = 'required';
  const hasTemplate = method === 'text' || method === 'passthrough';
  if (hasTemplate && !template.includes('{url}')) faults.template = template.trim() === '' ? 'required' : 'no-url';
  return faults;
}
