// Whether an image's record can be stored as it was sent, and what the audit says of it. Pure.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { FirmwareImageContent } from '../../../shared/protocol/api/firmware/images.ts';

type Faults = Readonly<Record<string, string>>;

export function faultsOfImage({ name, firmwareVersion, models }: FirmwareImageContent): Faults {
  const faults: Record<string, string> = {};
  if (name.trim() === '') faults.name = 'required';
  if (firmwareVersion.trim() === '') faults.firmwareVersion = 'required';
  if (models.some((model) => model.trim() === '')) faults.models = 'required';
  return faults;
}

/** Without blanks around what terminals are compared with. */
export function storedImage(content: FirmwareImageContent): FirmwareImageContent {
  return {
    ...content,
    name: content.name.trim(),
    vendor: content.vendor.trim(),
    models: [...new Set(content.models.map((model) => model.trim()))],
    hardwareVersion: content.hardwareVersion.trim(),
    firmwareVersion: content.firmwareVersion.trim(),
    minimumVersion: content.minimumVersion.trim(),
  };
}

export function auditFieldsOfImage(image: FirmwareImageContent): AuditFields {
  const { name, vendor, models, hardwareVersion, firmwareVersion, minimumVersion, part, notes } = image;
  return { name, vendor, models, hardwareVersion, firmwareVersion, minimumVersion, part, notes };
}
