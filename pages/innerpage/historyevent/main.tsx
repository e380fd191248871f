import { EVENT_PAGE_NAMESPACES } from '../../../shared/ui/events/pageNamespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { HistoryEventPage } from './HistoryEventPage.tsx';

await mountPage(<HistoryEventPage />, [...FRAME_NAMESPACES, ...EVENT_PAGE_NAMESPACES, 'HistoryEvent']);
