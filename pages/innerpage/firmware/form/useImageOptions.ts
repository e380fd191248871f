import { useMemo, useState } from 'react';
import { listFirmwareImages } from '../../../../shared/api/firmware/images.ts';
import type { FirmwareImage } from '../../../../shared/protocol/api/firmware/images.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { useSettled } from '../../../../shared/ui/records/useSettled.ts';

/** Typing is over when nothing was typed for this long. */
const SEARCH_PAUSE_MS = 300;
const MOST_OPTIONS = 100;

export interface ImageOptions {
  readonly options: readonly Option<string>[];
  readonly isLoading: boolean;
  /** There is no image at all. */
  readonly hasNone: boolean;
  readonly onType: (text: string) => void;
}

/** The newest images that fit what is typed. `chosen` is named although it isn't among them. */
export function useImageOptions(chosen: Option<string> | undefined): ImageOptions {
  const [typed, setTyped] = useState('');
  const search = useSettled(typed, SEARCH_PAUSE_MS);
  const { value, isLoading } = useRecord({
    key: ['firmware-image-options', search],
    load: (signal) =>
      listFirmwareImages(
        { place: { offset: 0 }, limit: MOST_OPTIONS, sort: 'addedAtMs', descending: true, search },
        signal,
      ),
    changedBy: ['firmwareimage'],
    keepsOther: true,
  });
  const options = useMemo(() => {
    const found = (value?.rows ?? []).map(imageOption);
    const isFound = chosen === undefined || found.some((option) => option.value === chosen.value);
    return isFound ? found : [chosen, ...found];
  }, [value, chosen]);
  return { options, isLoading, hasNone: search === '' && value?.total === 0, onType: setTyped };
}

export function imageOption({ id, name, firmwareVersion }: Pick<FirmwareImage, 'id' | 'name' | 'firmwareVersion'>) {
  return { value: String(id), label: `${name} · ${firmwareVersion}` };
}
