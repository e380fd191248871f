import { EVENT_PAGE_NAMESPACES } from '../../../shared/ui/events/pageNamespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { NotifyConfigPage } from './NotifyConfigPage.tsx';

await mountPage(<NotifyConfigPage />, [
  ...FRAME_NAMESPACES,
  ...EVENT_PAGE_NAMESPACES,
  'NotifyConfig',
  'NotifyWords',
  'Schedule',
]);
