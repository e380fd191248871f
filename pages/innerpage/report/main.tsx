import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { ReportPage } from './ReportPage.tsx';

await mountPage(<ReportPage />, [
  ...FRAME_NAMESPACES,
  ...EVENT_NAMESPACES,
  'Report',
  'ReportPage',
  'AuditWords',
  'Schedule',
]);
