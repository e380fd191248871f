import { EVENT_PAGE_NAMESPACES } from '../../../shared/ui/events/pageNamespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { TodayEventPage } from './TodayEventPage.tsx';

await mountPage(<TodayEventPage />, [...FRAME_NAMESPACES, ...EVENT_PAGE_NAMESPACES, 'TodayEvent']);
