import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { DatasyncPage } from './DatasyncPage.tsx';

await mountPage(<DatasyncPage />, [
  ...FRAME_NAMESPACES,
  ...EVENT_NAMESPACES,
  'Datasync',
  'SyncWords',
  'FetchRecordings',
  'Schedule',
]);
