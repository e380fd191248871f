// What a task reaches and in which steps, as lines of its facts: whoever approves it approves these too.

import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { selectedOptions } from '../../../../shared/ui/form/selectedOptions.ts';

export type Fact = readonly [name: string, text: string];

/** Thousands of devices may be named. The form has them all. */
const MOST_NAMES = 20;

/** `choices` has the names of devices and device groups; what it doesn't have is shown by its id. */
export function useTargetFacts(task: FirmwareTask, choices: DeviceChoices): readonly Fact[] {
  const { t } = useTranslation('Firmware');
  const names = useNames();
  const { devices, deviceGroups, model, installedVersion, canaries } = task;
  const isForAll = devices.length === 0 && deviceGroups.length === 0;
  return [
    [t('Device groups'), names(choices.groups, deviceGroups.map(String))],
    [t('Devices'), isForAll ? t('All devices') : names(choices.devices, devices)],
    [t('Model'), model],
    [t('Installed version'), installedVersion],
    [t('Canary devices'), names(choices.devices, canaries) || t('None')],
    [t('Rollout'), useRolloutText()(task)],
  ];
}

function useNames(): (options: DeviceChoices['devices'], values: readonly string[]) => string {
  const { t } = useTranslation('Firmware');
  return (options, values) => {
    const names = listText(selectedOptions(options, values.slice(0, MOST_NAMES)).map(({ label }) => label));
    const number = values.length - MOST_NAMES;
    return number > 0 ? t('{{names}} and {{number}} more', { names, number }) : names;
  };
}

function useRolloutText(): (task: FirmwareTask) => string {
  const { t } = useTranslation('Firmware');
  return ({ stages, pauseMinutes, concurrency, requiredPercent, abortDevices, abortPercent }) =>
    [
      t('stages: {{stages}}%', { stages: listText(stages) }),
      t('pause: {{minutes}} min', { minutes: pauseMinutes }),
      t('devices at a time: {{number}}', { number: concurrency }),
      t('required success: {{percent}}%', { percent: requiredPercent }),
      t('stop at failures: {{number}} or {{percent}}%', { number: abortDevices, percent: abortPercent }),
    ].join(' · ');
}
