import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { LoginPage } from './LoginPage.tsx';

await mountPage(<LoginPage />, ['Login', 'SecondFactor']);
