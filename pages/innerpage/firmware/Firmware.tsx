import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { LazyContent } from '../../../shared/ui/frame/LazyContent.tsx';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';
import { FIRMWARE_TABS, type FirmwareTab } from './firmwareAddress.ts';
import { type ShownFirmwareView, useFirmwareView } from './useFirmwareView.ts';

/** Each loaded when it is first looked at. */
const CONTENTS: Readonly<Record<FirmwareTab, ComponentType<{ readonly shown: ShownFirmwareView }>>> = {
  tasks: lazyPart('TasksTab', async () => (await import('./tasks/TasksTab.tsx')).TasksTab),
  images: lazyPart('ImagesTab', async () => (await import('./images/ImagesTab.tsx')).ImagesTab),
  models: lazyPart('ModelsTab', async () => (await import('./models/ModelsTab.tsx')).ModelsTab),
  versions: lazyPart('VersionsTab', async () => (await import('./versions/VersionsTab.tsx')).VersionsTab),
};
const TaskView = lazyPart('TaskView', async () => (await import('./task/TaskView.tsx')).TaskView);

/** Tasks, images, models and versions, or one task. */
export function Firmware() {
  const { t } = useTranslation(['Firmware', 'Menu']);
  const shown = useFirmwareView();
  const { tab, task } = shown;
  const Content = CONTENTS[tab];
  const titles: Readonly<Record<FirmwareTab, string>> = {
    tasks: t('Tasks'),
    images: t('Images'),
    models: t('Models'),
    versions: t('Versions'),
  };
  if (task !== undefined) {
    return (
      <LazyContent>
        <TaskView key={task} number={task} shown={shown} />
      </LazyContent>
    );
  }
  return (
    <TabbedPage
      tab={tab}
      titles={FIRMWARE_TABS.map((name) => [name, titles[name]])}
      label={t('Device Firmware', { ns: 'Menu' })}
      onChange={(next) => shown.show({ tab: next })}
    >
      <Content shown={shown} />
    </TabbedPage>
  );
}
