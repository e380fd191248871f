import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { TopBarPage } from './TopBarPage.tsx';

await mountPage(<TopBarPage />, []);
