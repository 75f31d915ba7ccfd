import { Controller, Get } from '@nestjs/common';

@Controller()
export class HealthController {
  /** Whether this process is alive; it says nothing about the database. */
  @Get('healthz')
  healthz(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }
}
