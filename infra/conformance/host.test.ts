import { jest } from '@jest/globals';
import { hostSuite } from './hostSuite.ts';

jest.setTimeout(60_000);

hostSuite('net');
