import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { FirmwareImages } from '../../firmware/images/firmwareImages.ts';
import type { Stores } from '../../store/stores.ts';
import type { Refusal } from '../kernel/envelope.ts';

export interface FirmwareImageDeps {
  readonly stores: Pick<Stores, 'firmwareImages' | 'firmwareModels' | 'firmwareVersions'>;
  readonly firmwareImages: Pick<FirmwareImages, 'add' | 'remove'>;
  readonly bus: Pick<ChangeBus, 'listChanged' | 'recordsChanged'>;
  readonly isOnline: (deviceId: string) => boolean;
  readonly now: () => WallMs;
}

export const MAY_UPDATE_FIRMWARE = {
  access: { kind: 'permissions', all: [Permission.FirmwareUpdate] },
} as const;

export const NO_IMAGE: Refusal = {
  status: 404,
  code: 'no-such-firmware-image',
  message: "Firmware image not found, or you don't have access to it.",
};

export const IMAGE_IN_USE: Refusal = {
  status: 409,
  code: 'firmware-image-in-use',
  message: 'Tasks still use this image. Stop them, and wait until terminals that have it have installed it.',
};

export const TOO_MANY_IMAGES: Refusal = {
  status: 409,
  code: 'too-many-firmware-images',
  message: "You've reached the limit of firmware images. Delete some that aren't needed first.",
};

export const NO_MODEL: Refusal = {
  status: 404,
  code: 'no-such-firmware-model',
  message: "Terminal model not found, or you don't have access to it.",
};

export const TOO_MANY_MODELS: Refusal = {
  status: 409,
  code: 'too-many-firmware-models',
  message: "You've reached the limit of terminal models. Delete some that aren't needed first.",
};
