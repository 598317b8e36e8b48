// pm openapi: prints the description of the interface, as the endpoint answers it at /openapi.json.
import { Command } from 'commander';
import { openApi } from '../../server/openapi.ts';
import type { Run } from '../command.ts';
import { printText } from '../output/printing.ts';
import type { Streams } from '../streams.ts';

export function build(_run: Run, io: Streams): Command {
  return new Command('openapi')
    .description('Print the description of the v4 interface as OpenAPI 3.1, in JSON.')
    .action(() => printText(io, `${JSON.stringify(openApi(), null, 2)}\n`));
}
