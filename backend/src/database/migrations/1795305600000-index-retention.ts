import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for retention: avoids full table scans. */
export class IndexRetention1795305600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX waitlist_entry_client_info_idx ON waitlist_entry (created_at)
      WHERE num_nonnulls(user_agent, language, network_address) > 0
    `);
    await queryRunner.query(`
      CREATE INDEX waitlist_entry_unfinished_idx ON waitlist_entry (created_at)
      WHERE completed_at IS NULL AND notice_received_at IS NULL
    `);
    await queryRunner.query('CREATE INDEX emergency_notice_received_at_idx ON emergency_notice (received_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP INDEX waitlist_entry_client_info_idx, waitlist_entry_unfinished_idx, emergency_notice_received_at_idx',
    );
  }
}
