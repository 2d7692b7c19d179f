/**
 * Every setting of the cluster that the servers know, a row each: name | servers | kind | default.
 *
 * Servers: `6` Elasticsearch 6.8, `7` Elasticsearch 7.10, `o` OpenSearch 2.19. Kinds: `static` and `final` ones are known but never
 * change at run time; the others are how values are read (`SettingKind`), with their bounds; of a `choice` the code says what it
 * may be. `deprecated` ones are warned of. Lists are JSON; `?` is a default that is each machine's own.
 *
 * @source `GET /_cluster/settings?include_defaults&flat_settings` of Elasticsearch 6.8.23, 7.10.2 and OpenSearch 2.19.3 with their
 *   modules, and how they refuse values of each
 */
export const CLUSTER_SETTING_TABLE = `
action.auto_create_index | 67o | choice | true
action.destructive_requires_name | 67o | boolean | false
action.master.force_local | 6 | static | false
action.search.shard_count.limit | 67o | long >=1 | 9223372036854775807
admission_control.cluster.admin.cpu_usage.limit | o | long | 95
admission_control.indexing.cpu_usage.limit | o | long | 95
admission_control.indexing.io_usage.limit | o | long | 95
admission_control.search.cpu_usage.limit | o | long | 95
admission_control.search.io_usage.limit | o | long | 95
admission_control.transport.cpu_usage.mode_override | o | choice | disabled
admission_control.transport.io_usage.mode_override | o | choice | disabled
admission_control.transport.mode | o | choice | disabled
aux.transport.types | o | static | []
bootstrap.ctrlhandler | 67o | static | true
bootstrap.memory_lock | 67o | static | false
bootstrap.system_call_filter | 67o | static | true
cache.recycler.page.limit.heap | 67o | static | 10%
cache.recycler.page.type | 67o | static | CONCURRENT
cache.recycler.page.weight.bytes | 67o | static | 1.0
cache.recycler.page.weight.ints | 67o | static | 1.0
cache.recycler.page.weight.longs | 67o | static | 1.0
cache.recycler.page.weight.objects | 67o | static | 0.1
cat.indices.response.limit.number_of_indices | o | integer | -1
cat.segments.response.limit.number_of_indices | o | integer | -1
cat.shards.response.limit.number_of_shards | o | integer | -1
ccr.auto_follow.wait_for_metadata_timeout | 6 | time | 60s
ccr.indices.recovery.chunk_size | 6 | bytes >=1kb <=1gb | 1mb
ccr.indices.recovery.internal_action_timeout | 6 | time >=0ms | 60s
ccr.indices.recovery.max_bytes_per_sec | 6 | bytes | 40mb
ccr.indices.recovery.max_concurrent_file_chunks | 6 | integer >=1 <=10 | 5
ccr.indices.recovery.recovery_activity_timeout | 6 | time | 60s
ccr.wait_for_metadata_timeout | 6 | time | 60s
client.transport.ignore_cluster_name | 67 | static | false
client.transport.nodes_sampler_interval | 67 | static | 5s
client.transport.ping_timeout | 67 | static | 5s
client.transport.sniff | 67 | static | false
client.type | 67o | static | node
cluster.allocator.existing_shards_allocator.batch_enabled | o | static | false
cluster.allocator.gateway.batch_size | o | long >=1 <=10000 | 2000
cluster.application_templates.enabled | o | boolean | false
cluster.auto_shrink_voting_configuration | 7o | boolean | true
cluster.blocks.create_index | o | boolean | false
cluster.blocks.create_index.auto_release | o | boolean | true
cluster.blocks.read_only | 67o | boolean | false
cluster.blocks.read_only_allow_delete | 67o | boolean | false
cluster.default.index.refresh_interval | o | time | 1s
cluster.default_number_of_replicas | o | integer | 1
cluster.election.back_off_time | 7o | static | 100ms
cluster.election.duration | 7o | static | 500ms
cluster.election.initial_timeout | 7o | static | 100ms
cluster.election.max_timeout | 7o | static | 10s
cluster.election.strategy | 7o | static | default
cluster.fault_detection.follower_check.interval | 7 | static | 1000ms
cluster.fault_detection.follower_check.interval | o | time >=100ms | 1000ms
cluster.fault_detection.follower_check.retry_count | 7o | static | 3
cluster.fault_detection.follower_check.timeout | 7 | static | 10000ms
cluster.fault_detection.follower_check.timeout | o | time >=1ms <=150000ms | 10000ms
cluster.fault_detection.leader_check.interval | 7o | static | 1000ms
cluster.fault_detection.leader_check.retry_count | 7o | static | 3
cluster.fault_detection.leader_check.timeout | 7 | static | 10000ms
cluster.fault_detection.leader_check.timeout | o | time >=1ms <=60000ms | 10000ms
cluster.filecache.remote_data_ratio | o | double >=0.0 | 0.0
cluster.follower_lag.timeout | 7 | static | 90000ms
cluster.follower_lag.timeout | o | time >=1ms | 90000ms
cluster.ignore_dot_indexes | o | boolean | false
cluster.index.restrict.replication.type | o | final | false
cluster.indices.close.enable | 67o | boolean | true
cluster.indices.replication.strategy | o | final | DOCUMENT
cluster.indices.tombstones.size | 67o | static | 500
cluster.info.update.interval | 67o | time >=10s | 30s
cluster.info.update.timeout | 67o | time >=0ms | 15s
cluster.ingest.max_number_processors | o | integer >=1 | 2147483647
cluster.initial_cluster_manager_nodes | o | static | ?
cluster.initial_master_nodes | 7o | static | ?
cluster.join.timeout | 7o | static | 60000ms
cluster.max_shards_per_node | 67o | integer >=1 | 1000
cluster.max_voting_config_exclusions | 7o | integer >=1 | 10
cluster.migration.direction | o | choice | NONE
cluster.minimum.index.refresh_interval | o | time >=0ms | 0ms
cluster.name | 67o | static | ?
cluster.no_cluster_manager_block | o | choice | metadata_write
cluster.no_master_block | 7 | choice | write
cluster.no_master_block | o | choice deprecated | metadata_write
cluster.nodes.reconnect_interval | 67o | static | 10s
cluster.persistent_tasks.allocation.enable | 67o | choice | all
cluster.persistent_tasks.allocation.recheck_interval | 67o | time >=10s | 30s
cluster.publish.info_timeout | 7o | static | 10000ms
cluster.publish.timeout | 7 | static | 30000ms
cluster.publish.timeout | o | time >=1ms | 30000ms
cluster.remote.connect | 67o | static | true
cluster.remote.connections_per_cluster | 67o | static | 3
cluster.remote.initial_connect_timeout | 67o | static | 30s
cluster.remote.node.attr | 67o | static |
cluster.remote_store.compatibility_mode | o | choice | STRICT
cluster.remote_store.index.path.hash_algorithm | o | choice | FNV_1A_COMPOSITE_1
cluster.remote_store.index.path.type | o | choice | FIXED
cluster.remote_store.index.restrict.async-durability | o | final | false
cluster.remote_store.index.segment_metadata.retention.max_count | o | integer >=-1 | 10
cluster.remote_store.index.translog.translog_metadata | o | boolean | true
cluster.remote_store.index_metadata.path_hash_algo | o | choice | FNV_1A_BASE64
cluster.remote_store.index_metadata.path_type | o | choice | HASHED_PREFIX
cluster.remote_store.pinned_timestamps.enabled | o | static | false
cluster.remote_store.pinned_timestamps.lookback_interval | o | static | 1m
cluster.remote_store.pinned_timestamps.scheduler_interval | o | static | 3m
cluster.remote_store.publication.enabled | o | boolean | false
cluster.remote_store.routing_table.path.prefix | o | final |
cluster.remote_store.routing_table.path_hash_algo | o | choice | FNV_1A_BASE64
cluster.remote_store.routing_table.path_type | o | choice | HASHED_PREFIX
cluster.remote_store.segment.transfer_timeout | o | time >=10m | 30m
cluster.remote_store.segments.path.prefix | o | final |
cluster.remote_store.state.checksum_validation.mode | o | choice | NONE
cluster.remote_store.state.cleanup_interval | o | time | 5m
cluster.remote_store.state.enabled | o | final | false
cluster.remote_store.state.global_metadata.upload_timeout | o | time | 20000ms
cluster.remote_store.state.index_metadata.upload_timeout | o | time deprecated | 20000ms
cluster.remote_store.state.metadata_manifest.upload_timeout | o | time | 20000ms
cluster.remote_store.state.path.prefix | o | final |
cluster.remote_store.state.read_timeout | o | time | 20000ms
cluster.remote_store.translog.buffer_interval | o | time >=0ms | 650ms
cluster.remote_store.translog.max_readers | o | integer >=-1 | 1000
cluster.remote_store.translog.path.prefix | o | final |
cluster.remote_store.translog.transfer_timeout | o | time >=30s | 30s
cluster.routing.allocation.allow_rebalance | 67o | choice | indices_all_active
cluster.routing.allocation.awareness.attributes | 67o | list | []
cluster.routing.allocation.awareness.balance | o | boolean | false
cluster.routing.allocation.balance.index | 67 | double >=0.0 | 0.55
cluster.routing.allocation.balance.index | o | double >=0.0 <=3.4028235E38 | 0.55
cluster.routing.allocation.balance.prefer_primary | o | boolean | false
cluster.routing.allocation.balance.shard | 67 | double >=0.0 | 0.45
cluster.routing.allocation.balance.shard | o | double >=0.0 <=3.4028235E38 | 0.45
cluster.routing.allocation.balance.threshold | 67 | double >=0.0 | 1.0
cluster.routing.allocation.balance.threshold | o | double >=0.0 <=3.4028235E38 | 1.0
cluster.routing.allocation.balanced_shards_allocator.allocator_timeout | o | time | -1
cluster.routing.allocation.cluster_concurrent_rebalance | 67o | integer >=-1 | 2
cluster.routing.allocation.cluster_concurrent_recoveries | o | integer >=-1 | -1
cluster.routing.allocation.disk.include_relocations | 7o | boolean deprecated | true
cluster.routing.allocation.disk.include_relocations | 6 | boolean | true
cluster.routing.allocation.disk.reroute_interval | 67o | time >=0ms | 60s
cluster.routing.allocation.disk.threshold_enabled | 67o | boolean | true
cluster.routing.allocation.disk.watermark.enable_for_single_data_node | 7o | static | false
cluster.routing.allocation.disk.watermark.flood_stage | 67o | choice | 95%
cluster.routing.allocation.disk.watermark.high | 67o | choice | 90%
cluster.routing.allocation.disk.watermark.low | 67o | choice | 85%
cluster.routing.allocation.enable | 67o | choice | all
cluster.routing.allocation.load_awareness.allow_unassigned_primaries | o | boolean | true
cluster.routing.allocation.load_awareness.flat_skew | o | integer >=2 | 2
cluster.routing.allocation.load_awareness.provisioned_capacity | o | integer >=-1 | -1
cluster.routing.allocation.load_awareness.skew_factor | o | double >=-1.0 | 50.0
cluster.routing.allocation.move.primary_first | o | boolean deprecated | false
cluster.routing.allocation.node_concurrent_incoming_recoveries | 67o | integer >=0 | 2
cluster.routing.allocation.node_concurrent_outgoing_recoveries | 67o | integer >=0 | 2
cluster.routing.allocation.node_concurrent_recoveries | 67o | integer >=0 | 2
cluster.routing.allocation.node_initial_primaries_recoveries | 67o | integer >=0 | 4
cluster.routing.allocation.node_initial_replicas_recoveries | o | integer >=0 | 4
cluster.routing.allocation.rebalance.primary.buffer | o | double >=0.0 <=3.4028235E38 | 0.1
cluster.routing.allocation.rebalance.primary.enable | o | boolean | false
cluster.routing.allocation.remote_primary.ignore_throttle | o | boolean | true
cluster.routing.allocation.same_shard.host | 67o | boolean | false
cluster.routing.allocation.shard_movement_strategy | o | choice | no_preference
cluster.routing.allocation.shard_state.reroute.priority | 7o | choice deprecated | NORMAL
cluster.routing.allocation.shards_batch_gateway_allocator.primary_allocator_timeout | o | time | -1
cluster.routing.allocation.shards_batch_gateway_allocator.replica_allocator_timeout | o | time | -1
cluster.routing.allocation.total_shards_limit | o | integer >=-1 | -1
cluster.routing.allocation.total_shards_per_node | 67o | integer >=-1 | -1
cluster.routing.allocation.type | 67o | static | balanced
cluster.routing.ignore_weighted_routing | o | boolean | false
cluster.routing.rebalance.enable | 67o | choice | all
cluster.routing.use_adaptive_replica_selection | 7o | boolean | true
cluster.routing.use_adaptive_replica_selection | 6 | boolean | false
cluster.routing.weighted.default_weight | o | double >=1.0 | 1.0
cluster.routing.weighted.fail_open | o | boolean | true
cluster.routing.weighted.strict | o | boolean | true
cluster.search.ignore_awareness_attributes | o | boolean | true
cluster.search.request.slowlog.level | o | choice | TRACE
cluster.search.request.slowlog.threshold.debug | o | time | -1
cluster.search.request.slowlog.threshold.info | o | time | -1
cluster.search.request.slowlog.threshold.trace | o | time | -1
cluster.search.request.slowlog.threshold.warn | o | time | -1
cluster.service.slow_cluster_manager_task_logging_threshold | o | time >=0ms | 10s
cluster.service.slow_master_task_logging_threshold | 7 | time >=0ms | 10s
cluster.service.slow_master_task_logging_threshold | o | time >=0ms deprecated | 10s
cluster.service.slow_task_logging_threshold | 67o | time >=0ms | 30s
cluster.snapshot.info.max_concurrent_fetches | 7o | integer >=1 | 5
cluster.snapshot.shard.path.prefix | o | final |
cluster.task.consumers.top_n.frequency | o | time >=60s | 60s
cluster.task.consumers.top_n.size | o | integer >=1 <=100 | 10
cluster_manager.throttling.retry.base.delay | o | time | 5s
cluster_manager.throttling.retry.max.delay | o | time | 30s
compatibility.override_main_response_version | o | boolean | false
discovery.cluster_formation_warning_timeout | 7o | static | 10000ms
discovery.find_peers_interval | 7o | static | 1000ms
discovery.find_peers_interval_during_decommission | o | static | 120s
discovery.initial_state_timeout | 67o | static | 30s
discovery.probe.connect_timeout | 7o | static | 3000ms
discovery.probe.handshake_timeout | 7o | static | 1000ms
discovery.request_peers_timeout | 7o | static | 3000ms
discovery.seed_hosts | 7o | static | []
discovery.seed_providers | 7o | static | []
discovery.seed_resolver.max_concurrent_resolvers | 7o | static | 10
discovery.seed_resolver.timeout | 7o | static | 5s
discovery.type | 67o | static | single-node
discovery.unconfigured_bootstrap_timeout | 7o | static | 3s
discovery.zen.bwc_ping_timeout | 7 | static | 3s
discovery.zen.commit_timeout | 6 | time | 30s
discovery.zen.commit_timeout | 7 | time deprecated | 30s
discovery.zen.fd.connect_on_network_disconnect | 67 | static | false
discovery.zen.fd.ping_interval | 67 | static | 1s
discovery.zen.fd.ping_retries | 67 | static | 3
discovery.zen.fd.ping_timeout | 67 | static | 30s
discovery.zen.fd.register_connection_listener | 67 | static | true
discovery.zen.hosts_provider | 67o | static | []
discovery.zen.join_retry_attempts | 67 | static | 3
discovery.zen.join_retry_delay | 67 | static | 100ms
discovery.zen.join_timeout | 67 | static | 60000ms
discovery.zen.master_election.ignore_non_master_pings | 67 | static | false
discovery.zen.master_election.wait_for_joins_timeout | 67 | static | 30000ms
discovery.zen.max_pings_from_another_master | 67 | static | 3
discovery.zen.minimum_master_nodes | 6 | integer | -1
discovery.zen.minimum_master_nodes | 7 | integer deprecated | -1
discovery.zen.no_master_block | 6 | choice | write
discovery.zen.no_master_block | 7 | choice deprecated | write
discovery.zen.ping.unicast.concurrent_connects | 67o | static | 10
discovery.zen.ping.unicast.hosts | 67o | static | []
discovery.zen.ping.unicast.hosts.resolve_timeout | 67o | static | 5s
discovery.zen.ping_timeout | 67 | static | 3s
discovery.zen.publish.max_pending_cluster_states | 67 | static | 25
discovery.zen.publish_diff.enable | 6 | boolean | true
discovery.zen.publish_diff.enable | 7 | boolean deprecated | true
discovery.zen.publish_timeout | 6 | time >=0ms | 30s
discovery.zen.publish_timeout | 7 | time >=0ms deprecated | 30s
discovery.zen.send_leave_request | 67 | static | true
discovery.zen.unsafe_rolling_upgrades_enabled | 7 | static | true
gateway.auto_import_dangling_indices | 7o | static | false
gateway.expected_data_nodes | 67o | static | -1
gateway.expected_master_nodes | 67o | static | -1
gateway.expected_nodes | 67o | static | -1
gateway.recover_after_data_nodes | 67o | static | -1
gateway.recover_after_master_nodes | 67o | static | 0
gateway.recover_after_nodes | 67o | static | -1
gateway.recover_after_time | 67o | static | 0ms
gateway.slow_write_logging_threshold | 7o | time >=0ms | 10s
gateway.write_dangling_indices_info | 7o | static | true
http.bind_host | 67o | static | ?
http.compression | 67o | static | true
http.compression_level | 67o | static | 3
http.connect_timeout | o | static | 0ms
http.content_type.required | 67o | static | true
http.cors.allow-credentials | 67o | static | false
http.cors.allow-headers | 67o | static | X-Requested-With,Content-Type,Content-Length
http.cors.allow-methods | 67o | static | OPTIONS,HEAD,GET,POST,PUT,DELETE
http.cors.allow-origin | 67o | static |
http.cors.enabled | 67o | static | false
http.cors.max-age | 67o | static | 1728000
http.detailed_errors.enabled | 67o | static | true
http.enabled | 6 | static | true
http.host | 67o | static | ?
http.max_chunk_size | 67 | static | 8kb
http.max_chunk_size | o | static | 8192b
http.max_content_length | 67o | static | 100mb
http.max_header_size | 67 | static | 8kb
http.max_header_size | o | static | 8192b
http.max_initial_line_length | 67 | static | 4kb
http.max_initial_line_length | o | static | 4096b
http.max_warning_header_count | 67o | static | -1
http.max_warning_header_size | 67o | static | -1b
http.netty.max_composite_buffer_components | 67o | static | ?
http.netty.receive_predictor_max | 6 | static | 64kb
http.netty.receive_predictor_min | 6 | static | 64kb
http.netty.receive_predictor_size | 67 | static | 64kb
http.netty.receive_predictor_size | o | static | 65536b
http.netty.worker_count | 67o | static | ?
http.pipelining | 6 | static | true
http.pipelining.max_events | 67o | static | 10000
http.port | 67o | static | ?
http.publish_host | 67o | static | ?
http.publish_port | 67o | static | ?
http.read_timeout | 67o | static | 0ms
http.reset_cookies | 67o | static | false
http.tcp.keep_alive | 67o | static | true
http.tcp.keep_count | 7o | static | -1
http.tcp.keep_idle | 7o | static | -1
http.tcp.keep_interval | 7o | static | -1
http.tcp.no_delay | 67o | static | true
http.tcp.receive_buffer_size | 67o | static | -1b
http.tcp.reuse_address | 67o | static | true
http.tcp.send_buffer_size | 67o | static | -1b
http.tcp_no_delay | 67o | static | true
http.tracer.exclude | 7o | list | []
http.tracer.include | 7o | list | []
http.type | 67o | static |
http.type.default | 67o | static | netty4
index.codec | 67o | static | default
index.recovery.type | 7o | static |
index.store.fs.fs_lock | 67o | static | native
index.store.hybrid.mmap.extensions | o | static | ["nvd", "dvd", "tim", "tip", "dim", "kdd", "kdi", "cfs", "doc"]
index.store.hybrid.nio.extensions | o | static | ["segments_N", "write.lock", "si", "cfe", "fnm", "fdx", "fdt", "pos", "pay", "nvm", "dvm", "tvx", "tvd", "liv", "dii", "vem"]
index.store.preload | 67o | static | []
index.store.type | 67o | static |
indexing_pressure.memory.limit | 7o | static | 10%
indices.admin.filtered_fields | 6 | boolean deprecated | true
indices.analysis.hunspell.dictionary.ignore_case | 67o | static | false
indices.analysis.hunspell.dictionary.lazy | 67o | static | false
indices.breaker.accounting.limit | 67 | memory | 100%
indices.breaker.accounting.overhead | 67 | double >=0.0 | 1.0
indices.breaker.fielddata.limit | 7o | memory | 40%
indices.breaker.fielddata.limit | 6 | memory | 60%
indices.breaker.fielddata.overhead | 67o | double >=0.0 | 1.03
indices.breaker.fielddata.type | 67o | static | memory
indices.breaker.request.limit | 67o | memory | 60%
indices.breaker.request.overhead | 67o | double >=0.0 | 1.0
indices.breaker.request.type | 67o | static | memory
indices.breaker.total.limit | 7o | memory | 95%
indices.breaker.total.limit | 6 | memory | 70%
indices.breaker.total.use_real_memory | 7o | static | true
indices.breaker.type | 67o | static | hierarchy
indices.cache.cleanup_interval | 67o | static | 1m
indices.composite_index.star_tree.enabled | o | boolean | false
indices.composite_index.translog.max_flush_threshold_size | o | bytes >=128mb | 512mb
indices.fielddata.cache.size | 67o | static | -1b
indices.id_field_data.enabled | 7o | boolean | true
indices.lifecycle.poll_interval | 6 | time >=0ms | 10m
indices.mapping.dynamic_timeout | 67o | time >=0ms | 30s
indices.mapping.max_in_flight_updates | 7o | integer >=1 <=1000 | 10
indices.memory.index_buffer_size | 67o | static | 10%
indices.memory.interval | 67o | static | 5s
indices.memory.max_index_buffer_size | 67o | static | ?
indices.memory.min_index_buffer_size | 67o | static | ?
indices.memory.shard_inactive_time | 67o | static | 5m
indices.queries.cache.all_segments | 67o | static | false
indices.queries.cache.count | 67o | static | 10000
indices.queries.cache.size | 67o | static | 10%
indices.query.bool.max_clause_count | 67 | static | 1024
indices.query.bool.max_clause_count | o | integer >=1 | 1024
indices.query.query_string.allowLeadingWildcard | 67o | static | true
indices.query.query_string.analyze_wildcard | 67o | static | false
indices.recovery.chunk_size | o | bytes >=1b <=100mb | 524272b
indices.recovery.internal_action_long_timeout | 67o | time >=0s | 1800000ms
indices.recovery.internal_action_retry_timeout | o | time >=0ms | 1m
indices.recovery.internal_action_timeout | 67o | time >=0ms | 15m
indices.recovery.internal_remote_upload_timeout | o | time | 1h
indices.recovery.max_bytes_per_sec | 67 | bytes | 40mb
indices.recovery.max_bytes_per_sec | o | bytes | 41943040b
indices.recovery.max_concurrent_file_chunks | 7o | integer >=1 <=5 | 2
indices.recovery.max_concurrent_file_chunks | 6 | integer >=1 <=5 | 1
indices.recovery.max_concurrent_operations | 7o | integer >=1 <=4 | 1
indices.recovery.max_concurrent_remote_store_streams | o | integer >=1 | 1
indices.recovery.recovery_activity_timeout | 67o | time >=0s | 1800000ms
indices.recovery.retry_delay_network | 67o | time >=0ms | 5s
indices.recovery.retry_delay_state_sync | 67o | time >=0ms | 500ms
indices.replication.initial_retry_backoff_bound | 7o | time >=10ms | 50ms
indices.replication.max_bytes_per_sec | o | bytes | -1b
indices.replication.retry_timeout | 7o | time | 60s
indices.requests.cache.cleanup.interval | o | static | 1m
indices.requests.cache.cleanup.staleness_threshold | o | text | 0%
indices.requests.cache.expire | 67o | static | 0ms
indices.requests.cache.maximum_cacheable_size | o | integer >=0 <=10000 | 0
indices.requests.cache.size | 67o | static | 1%
indices.store.delete.shard.timeout | 67o | static | 30s
indices.time_series_index.default_index_merge_policy | o | static | default
ingest.common.processors.allowed | o | static | []
ingest.geoip.cache_size | 6 | static | 1000
ingest.grok.watchdog.interval | 67o | static | 1s
ingest.grok.watchdog.max_execution_time | 67o | static | 1s
ingest.user_agent.cache_size | 7o | static | 1000
ingest.useragent.processors.allowed | o | static | []
logger.level | 67o | static | INFO
max.anomaly.records | 6 | static | 500
max_running_jobs | 6 | static | 20
monitor.fs.health.enabled | 7o | boolean | true
monitor.fs.health.healthy_timeout_threshold | o | time >=1ms | 60s
monitor.fs.health.refresh_interval | 7 | static | 120s
monitor.fs.health.refresh_interval | o | static | 60s
monitor.fs.health.slow_path_logging_threshold | 7o | time >=1ms | 5s
monitor.fs.refresh_interval | 67o | static | 1s
monitor.jvm.gc.enabled | 67o | static | true
monitor.jvm.gc.overhead.debug | 67o | static | 10
monitor.jvm.gc.overhead.info | 67o | static | 25
monitor.jvm.gc.overhead.warn | 67o | static | 50
monitor.jvm.gc.refresh_interval | 67o | static | 1s
monitor.jvm.refresh_interval | 67o | static | 1s
monitor.os.refresh_interval | 67o | static | 1s
monitor.process.refresh_interval | 67o | static | 1s
network.bind_host | 67o | static | ?
network.breaker.inflight_requests.limit | 67o | memory | 100%
network.breaker.inflight_requests.overhead | 7o | double >=0.0 | 2.0
network.breaker.inflight_requests.overhead | 6 | double >=0.0 | 1.0
network.host | 67o | static | ?
network.publish_host | 67o | static | ?
network.server | 67o | static | true
network.tcp.connect_timeout | 67o | static | 30s
network.tcp.keep_alive | 67o | static | true
network.tcp.keep_count | 7o | static | -1
network.tcp.keep_idle | 7o | static | -1
network.tcp.keep_interval | 7o | static | -1
network.tcp.no_delay | 67o | static | true
network.tcp.receive_buffer_size | 67o | static | -1b
network.tcp.reuse_address | 67o | static | true
network.tcp.send_buffer_size | 67o | static | -1b
no.model.state.persist | 6 | static | false
node.data | 67o | static | true
node.enable_lucene_segment_infos_trace | 67o | static | false
node.id.seed | 67o | static | ?
node.ingest | 67o | static | true
node.local_storage | 67o | static | true
node.master | 67o | static | true
node.max_local_storage_nodes | 67o | static | 1
node.ml | 6 | static | false
node.name | 67o | static | ?
node.pidfile | 7o | static | ?
node.portsfile | 67o | static | false
node.processors | 7o | static | ?
node.remote_cluster_client | 7o | static | true
node.resource.tracker.global_cpu_usage.window_duration | o | time >=0ms | 30s
node.resource.tracker.global_io_usage.window_duration | o | time >=0ms | 120s
node.resource.tracker.global_jvmmp.window_duration | o | time >=0ms | 30s
node.roles | 7 | static | ["master", "remote_cluster_client", "data", "ingest"]
node.roles | o | static | ["ingest", "remote_cluster_client", "data", "cluster_manager"]
node.search.cache.size | o | static | 0
node.store.allow_mmap | 67o | static | true
node.store.allow_mmapfs | 6 | static | true
opensearch.experimental.feature.application_templates.enabled | o | static | false
opensearch.experimental.feature.composite_index.star_tree.enabled | o | static | false
opensearch.experimental.feature.extensions.enabled | o | static | false
opensearch.experimental.feature.pluggable.caching.enabled | o | static | false
opensearch.experimental.feature.read.write.split.enabled | o | static | false
opensearch.experimental.feature.remote_store.migration.enabled | o | static | false
opensearch.experimental.feature.telemetry.enabled | o | static | false
opensearch.experimental.feature.tiered_remote_index.enabled | o | static | false
opensearch.experimental.optimization.datetime_formatter_caching.enabled | o | static | false
opensearch.experimental.optimization.termversion.precommit.enabled | o | static | false
path.data | 67o | static | ?
path.home | 67o | static | ?
path.logs | 67o | static | ?
path.repo | 67o | static | ?
path.shared_data | 67o | static | ?
pidfile | 67o | static | ?
plugin.mandatory | 67o | static | []
point_in_time.init.keep_alive | o | static | 30s
point_in_time.max_keep_alive | o | time >=0ms | 24h
processors | 67o | static | ?
reindex.remote.allowlist | o | static | []
reindex.remote.retry.initial_backoff | o | time >=50ms <=5000ms | 500ms
reindex.remote.retry.max_count | o | integer >=1 <=100 | 15
reindex.remote.whitelist | 67o | static | []
remote_store.moving_average_window_size | o | integer >=5 | 20
remote_store.segment.pressure.bytes_lag.variance_factor | o | double >=1.0 | 10.0
remote_store.segment.pressure.consecutive_failures.limit | o | integer >=1 | 5
remote_store.segment.pressure.enabled | o | boolean | true
remote_store.segment.pressure.time_lag.variance_factor | o | double >=1.0 | 10.0
repositories.fs.chunk_size | 67o | static | 9223372036854775807b
repositories.fs.compress | 67o | static | false
repositories.fs.location | 67o | static | ?
repositories.url.allowed_urls | 6o | static | []
repositories.url.supported_protocols | 6o | static | ["http", "https", "ftp", "file", "jar"]
repositories.url.url | 6o | static | http:
resource.reload.enabled | 67o | static | true
resource.reload.interval.high | 67o | static | 5s
resource.reload.interval.low | 67o | static | 60s
resource.reload.interval.medium | 67o | static | 30s
rest.action.multi.allow_explicit_index | 67o | static | true
script.allowed_contexts | 67o | static | []
script.allowed_types | 67o | static | []
script.cache.expire | 67o | static | 0ms
script.cache.max_size | 67o | static | 100
script.disable_max_compilations_rate | 7o | static | false
script.max_compilations_rate | 7o | choice deprecated | use-context
script.max_compilations_rate | 6 | choice | 75/5m
script.max_size_in_bytes | 67o | integer >=0 | 65535
script.painless.regex.enabled | 7o | static | limited
script.painless.regex.enabled | 6 | static | false
script.painless.regex.limit-factor | 7o | static | 6
search.allow_expensive_queries | 7o | boolean | true
search.cancel_after_time_interval | o | time | -1
search.concurrent.max_slice_count | o | integer >=0 | 0
search.concurrent_segment_search.enabled | o | boolean deprecated | false
search.concurrent_segment_search.mode | o | choice | none
search.default_allow_partial_results | 67o | boolean | true
search.default_keep_alive | 67o | time >=0ms | 5m
search.default_search_timeout | 67o | time | -1
search.derived_field.enabled | o | boolean | true
search.dynamic_pruning.cardinality_aggregation.max_allowed_cardinality | o | integer >=0 | 100
search.highlight.term_vector_multi_value | 67o | static | true
search.keep_alive_interval | 67o | static | 1m
search.keyword_index_or_doc_values_enabled | o | boolean | false
search.low_level_cancellation | 7o | boolean | true
search.low_level_cancellation | 6 | boolean | false
search.max_aggregation_rewrite_filters | o | integer >=0 | 3000
search.max_buckets | 7o | integer >=0 | 65535
search.max_buckets | 6 | integer >=-1 | -1
search.max_keep_alive | 67o | time >=0ms | 24h
search.max_open_pit_context | o | integer >=0 | 300
search.max_open_scroll_context | 7o | integer >=0 | 500
search.max_open_scroll_context | 6 | integer >=0 | 2147483647
search.phase_took_enabled | o | boolean | false
search.pipeline.common.request.processors.allowed | o | static | []
search.pipeline.common.response.processors.allowed | o | static | []
search.pipeline.common.search.phase.results.processors.allowed | o | static | []
search.remote.connect | 67 | static | true
search.remote.connections_per_cluster | 67 | static | 3
search.remote.initial_connect_timeout | 67 | static | 30s
search.remote.node.attr | 67 | static |
search.request_stats_enabled | o | boolean | true
search_backpressure.cancellation_burst | o | double >=1.0 deprecated | 10.0
search_backpressure.cancellation_rate | o | double >0 deprecated | 0.003
search_backpressure.cancellation_ratio | o | double >0 <=1.0 deprecated | 0.1
search_backpressure.mode | o | choice | monitor_only
search_backpressure.node_duress.cpu_threshold | o | double >=0.0 <=1.0 | 0.9
search_backpressure.node_duress.heap_threshold | o | double >=0.0 <=1.0 | 0.7
search_backpressure.node_duress.num_successive_breaches | o | integer >=1 | 3
search_backpressure.search_shard_task.cancellation_burst | o | double >=1.0 | 10.0
search_backpressure.search_shard_task.cancellation_rate | o | double >0 | 0.003
search_backpressure.search_shard_task.cancellation_ratio | o | double >0 <=1.0 | 0.1
search_backpressure.search_shard_task.cpu_time_millis_threshold | o | long >=0 | 15000
search_backpressure.search_shard_task.elapsed_time_millis_threshold | o | long >=0 | 30000
search_backpressure.search_shard_task.heap_moving_average_window_size | o | integer >=0 | 100
search_backpressure.search_shard_task.heap_percent_threshold | o | double >=0.0 <=1.0 | 0.005
search_backpressure.search_shard_task.heap_variance | o | double >=0.0 | 2.0
search_backpressure.search_shard_task.total_heap_percent_threshold | o | double >=0.0 <=1.0 | 0.05
search_backpressure.search_task.cancellation_burst | o | double >=1.0 | 5.0
search_backpressure.search_task.cancellation_rate | o | double >0 | 0.003
search_backpressure.search_task.cancellation_ratio | o | double >0 <=1.0 | 0.1
search_backpressure.search_task.cpu_time_millis_threshold | o | long >=0 | 30000
search_backpressure.search_task.elapsed_time_millis_threshold | o | long >=0 | 45000
search_backpressure.search_task.heap_moving_average_window_size | o | integer >=0 | 100
search_backpressure.search_task.heap_percent_threshold | o | double >=0.0 <=1.0 | 0.02
search_backpressure.search_task.heap_variance | o | double >=0.0 | 2.0
search_backpressure.search_task.total_heap_percent_threshold | o | double >=0.0 <=1.0 | 0.05
security.manager.filter_bad_defaults | 67o | static | true
segrep.pressure.checkpoint.limit | o | integer >=1 | 30
segrep.pressure.enabled | o | boolean | false
segrep.pressure.replica.stale.limit | o | double >=0.0 <=1.0 | 0.5
segrep.pressure.time.limit | o | time >=0ms | 5m
segrep.replication.time.limit | o | time >=0ms | 0m
shard_indexing_pressure.cache_store.max_size | o | integer >=100 <=1000 | 200
shard_indexing_pressure.enabled | o | boolean | false
shard_indexing_pressure.enforced | o | boolean | false
shard_indexing_pressure.operating_factor.lower | o | double >=0.0 | 0.75
shard_indexing_pressure.operating_factor.optimal | o | double >=0.0 | 0.85
shard_indexing_pressure.operating_factor.upper | o | double >=0.0 | 0.95
shard_indexing_pressure.primary_parameter.node.soft_limit | o | double >=0.0 | 0.7
shard_indexing_pressure.primary_parameter.shard.min_limit | o | double >=0.0 | 0.001
shard_indexing_pressure.secondary_parameter.successful_request.elapsed_timeout | o | time >=0ms | 300000ms
shard_indexing_pressure.secondary_parameter.successful_request.max_outstanding_requests | o | integer | 100
shard_indexing_pressure.secondary_parameter.throughput.degradation_factor | o | double >=1.0 | 5.0
shard_indexing_pressure.secondary_parameter.throughput.request_size_window | o | integer | 2000
snapshot.max_concurrent_operations | 7o | integer >=1 | 1000
snapshot.max_shards_allowed_in_status_api | o | integer >=1 | 200000
snapshot.repository_data.cache.threshold | o | static | ?
task_cancellation.duration_millis | o | long | 10000
task_cancellation.enabled | o | boolean | true
task_resource_consumers.enabled | o | boolean | false
task_resource_tracking.enabled | o | boolean | true
thread_pool.analyze.queue_size | 67o | static | 16
thread_pool.analyze.size | 67o | static | ?
thread_pool.bulk.queue_size | 6 | static | 200
thread_pool.bulk.size | 6 | static | ?
thread_pool.estimated_time_interval | 67o | static | 200ms
thread_pool.fetch_shard_started.core | 67o | static | ?
thread_pool.fetch_shard_started.keep_alive | 67o | static | 5m
thread_pool.fetch_shard_started.max | 67o | static | ?
thread_pool.fetch_shard_store.core | 67o | static | ?
thread_pool.fetch_shard_store.keep_alive | 67o | static | 5m
thread_pool.fetch_shard_store.max | 67o | static | ?
thread_pool.flush.core | 67o | static | ?
thread_pool.flush.keep_alive | 67o | static | 5m
thread_pool.flush.max | 67o | static | ?
thread_pool.force_merge.queue_size | 67o | static | -1
thread_pool.force_merge.size | 67o | static | ?
thread_pool.generic.core | 67o | static | ?
thread_pool.generic.keep_alive | 67o | static | 30s
thread_pool.generic.max | 67o | static | ?
thread_pool.get.queue_size | 67o | static | 1000
thread_pool.get.size | 67o | static | ?
thread_pool.index.queue_size | 6 | static | 200
thread_pool.index.size | 6 | static | ?
thread_pool.index_searcher.auto_queue_frame_size | o | static | 2000
thread_pool.index_searcher.max_queue_size | o | static | 1000
thread_pool.index_searcher.min_queue_size | o | static | 1000
thread_pool.index_searcher.queue_size | o | static | 1000
thread_pool.index_searcher.size | o | static | ?
thread_pool.index_searcher.target_response_time | o | static | 1s
thread_pool.listener.queue_size | 67o | static | -1
thread_pool.listener.size | 67o | static | ?
thread_pool.management.core | 67o | static | ?
thread_pool.management.keep_alive | 67o | static | 5m
thread_pool.management.max | 67o | static | ?
thread_pool.refresh.core | 67o | static | ?
thread_pool.refresh.keep_alive | 67o | static | 5m
thread_pool.refresh.max | 67o | static | ?
thread_pool.remote_purge.core | o | static | ?
thread_pool.remote_purge.keep_alive | o | static | 5m
thread_pool.remote_purge.max | o | static | ?
thread_pool.remote_recovery.core | o | static | ?
thread_pool.remote_recovery.keep_alive | o | static | 5m
thread_pool.remote_recovery.max | o | static | ?
thread_pool.remote_refresh_retry.core | o | static | ?
thread_pool.remote_refresh_retry.keep_alive | o | static | 5m
thread_pool.remote_refresh_retry.max | o | static | ?
thread_pool.remote_state_checksum.queue_size | o | static | 1000
thread_pool.remote_state_checksum.size | o | static | ?
thread_pool.remote_state_read.queue_size | o | static | 120000
thread_pool.remote_state_read.size | o | static | ?
thread_pool.search.auto_queue_frame_size | 67o | static | 2000
thread_pool.search.max_queue_size | 67o | static | 1000
thread_pool.search.min_queue_size | 67o | static | 1000
thread_pool.search.queue_size | 67o | static | 1000
thread_pool.search.size | 67o | static | ?
thread_pool.search.target_response_time | 67o | static | 1s
thread_pool.search_throttled.auto_queue_frame_size | 67o | static | 200
thread_pool.search_throttled.max_queue_size | 67o | static | 100
thread_pool.search_throttled.min_queue_size | 67o | static | 100
thread_pool.search_throttled.queue_size | 67o | static | 100
thread_pool.search_throttled.size | 67o | static | ?
thread_pool.search_throttled.target_response_time | 67o | static | 1s
thread_pool.snapshot.core | 67o | static | ?
thread_pool.snapshot.keep_alive | 67o | static | 5m
thread_pool.snapshot.max | 67o | static | ?
thread_pool.snapshot_deletion.core | o | static | ?
thread_pool.snapshot_deletion.keep_alive | o | static | 5m
thread_pool.snapshot_deletion.max | o | static | ?
thread_pool.system_read.queue_size | 7o | static | 2000
thread_pool.system_read.size | 7o | static | ?
thread_pool.system_write.queue_size | 7o | static | 1000
thread_pool.system_write.size | 7o | static | ?
thread_pool.translog_sync.queue_size | o | static | 10000
thread_pool.translog_sync.size | o | static | ?
thread_pool.translog_transfer.core | o | static | ?
thread_pool.translog_transfer.keep_alive | o | static | 5m
thread_pool.translog_transfer.max | o | static | ?
thread_pool.warmer.core | 67o | static | ?
thread_pool.warmer.keep_alive | 67o | static | 5m
thread_pool.warmer.max | 67o | static | ?
thread_pool.write.queue_size | 7o | static | 10000
thread_pool.write.queue_size | 6 | static | 200
thread_pool.write.size | 67o | static | ?
transport.bind_host | 67o | static | ?
transport.compress | 67o | static | false
transport.connect_timeout | 67o | static | 30s
transport.connections_per_node.bulk | 67o | static | 3
transport.connections_per_node.ping | 67o | static | 1
transport.connections_per_node.recovery | 67o | static | 2
transport.connections_per_node.reg | 67o | static | 6
transport.connections_per_node.state | 67o | static | 1
transport.features.x-pack | 6 | static | true
transport.host | 67o | static | ?
transport.netty.boss_count | 67o | static | 1
transport.netty.receive_predictor_max | 67 | static | 64kb
transport.netty.receive_predictor_max | o | static | 65536b
transport.netty.receive_predictor_min | 67 | static | 64kb
transport.netty.receive_predictor_min | o | static | 65536b
transport.netty.receive_predictor_size | 67 | static | 64kb
transport.netty.receive_predictor_size | o | static | 65536b
transport.netty.worker_count | 67o | static | ?
transport.ping_schedule | 67o | static | -1
transport.port | 67o | static | ?
transport.publish_host | 67o | static | ?
transport.publish_port | 67o | static | ?
transport.slow_operation_logging_threshold | 7o | time >=0ms | 5s
transport.ssl.dual_mode.enabled | o | static | false
transport.ssl.enforce_hostname_verification | o | static | true
transport.ssl.resolve_hostname | o | static | true
transport.tcp.compress | 67o | static | false
transport.tcp.connect_timeout | 67o | static | 30s
transport.tcp.keep_alive | 67o | static | true
transport.tcp.keep_count | 7o | static | -1
transport.tcp.keep_idle | 7o | static | -1
transport.tcp.keep_interval | 7o | static | -1
transport.tcp.no_delay | 67o | static | true
transport.tcp.port | 67o | static | ?
transport.tcp.receive_buffer_size | 67o | static | -1b
transport.tcp.reuse_address | 67o | static | true
transport.tcp.send_buffer_size | 67o | static | -1b
transport.tcp_no_delay | 67o | static | true
transport.tracer.exclude | 6 | list | ["internal:discovery/zen/fd*", "cluster:monitor/nodes/liveness"]
transport.tracer.exclude | 7 | list | ["internal:discovery/zen/fd*", "internal:coordination/fault_detection/*", "cluster:monitor/nodes/liveness"]
transport.tracer.exclude | o | list | ["internal:coordination/fault_detection/*", "cluster:monitor/nodes/liveness"]
transport.tracer.include | 67o | list | []
transport.type | 67o | static |
transport.type.default | 67o | static | netty4
tribe.blocks.metadata | 6 | static | false
tribe.blocks.metadata.indices | 6 | static | []
tribe.blocks.read.indices | 6 | static | []
tribe.blocks.write | 6 | static | false
tribe.blocks.write.indices | 6 | static | []
tribe.name | 6 | static |
tribe.on_conflict | 6 | static | any
wlm.query_group.duress_streak | o | integer >=3 | 3
wlm.query_group.enforcement_interval | o | long >=1000 | 1000
wlm.query_group.mode | o | choice | monitor_only
wlm.query_group.node.cpu_cancellation_threshold | o | double >=4.9E-324 | 0.9
wlm.query_group.node.cpu_rejection_threshold | o | double >=4.9E-324 | 0.8
wlm.query_group.node.memory_cancellation_threshold | o | double >=4.9E-324 | 0.9
wlm.query_group.node.memory_rejection_threshold | o | double >=4.9E-324 | 0.8
xpack.ccr.ccr_thread_pool.queue_size | 6 | static | 100
xpack.ccr.ccr_thread_pool.size | 6 | static | 32
xpack.ccr.enabled | 6 | static | true
xpack.graph.enabled | 6 | static | true
xpack.http.default_connection_timeout | 6 | static | 10s
xpack.http.default_read_timeout | 6 | static | 10s
xpack.http.max_response_size | 6 | static | 10mb
xpack.http.proxy.host | 6 | static |
xpack.http.proxy.port | 6 | static | 0
xpack.http.proxy.scheme | 6 | static |
xpack.ilm.enabled | 6 | static | true
xpack.license.self_generated.type | 6 | static | basic
xpack.logstash.enabled | 6 | static | true
xpack.ml.autodetect_process | 6 | static | true
xpack.ml.enable_config_migration | 6 | boolean | true
xpack.ml.enabled | 6 | static | false
xpack.ml.max_anomaly_records | 6 | integer >=1 | 500
xpack.ml.max_lazy_ml_nodes | 6 | integer >=0 <=3 | 0
xpack.ml.max_machine_memory_percent | 6 | integer >=5 <=200 | 30
xpack.ml.max_model_memory_limit | 6 | memory | 0b
xpack.ml.max_open_jobs | 6 | static | 20
xpack.ml.min_disk_space_off_heap | 6 | static | 5gb
xpack.ml.node_concurrent_job_allocations | 6 | integer >=0 | 2
xpack.ml.process_connect_timeout | 6 | time >=5s | 10s
xpack.monitoring.collection.ccr.stats.timeout | 6 | time | 10s
xpack.monitoring.collection.cluster.stats.timeout | 6 | time | 10s
xpack.monitoring.collection.enabled | 6 | boolean | false
xpack.monitoring.collection.index.recovery.active_only | 6 | boolean | false
xpack.monitoring.collection.index.recovery.timeout | 6 | time | 10s
xpack.monitoring.collection.index.stats.timeout | 6 | time | 10s
xpack.monitoring.collection.indices | 6 | list | []
xpack.monitoring.collection.interval | 6 | time >=1s | 10s
xpack.monitoring.collection.ml.job.stats.timeout | 6 | time | 10s
xpack.monitoring.collection.node.stats.timeout | 6 | time | 10s
xpack.monitoring.elasticsearch.collection.enabled | 6 | boolean | true
xpack.monitoring.enabled | 6 | static | true
xpack.monitoring.history.duration | 6 | time >=24h | 168h
xpack.notification.email.default_account | 6 | text |
xpack.notification.email.html.sanitization.allow | 6 | static | ["body", "head", "_tables", "_links", "_blocks", "_formatting", "img:embedded"]
xpack.notification.email.html.sanitization.disallow | 6 | static | []
xpack.notification.email.html.sanitization.enabled | 6 | static | true
xpack.notification.hipchat.default_account | 6 | text |
xpack.notification.hipchat.host | 6 | text |
xpack.notification.hipchat.port | 6 | integer | 443
xpack.notification.jira.default_account | 6 | text |
xpack.notification.pagerduty.default_account | 6 | text |
xpack.notification.reporting.interval | 6 | static | 15s
xpack.notification.reporting.retries | 6 | static | 40
xpack.notification.slack.default_account | 6 | text |
xpack.rollup.enabled | 6 | static | true
xpack.rollup.task_thread_pool.queue_size | 6 | static | 4
xpack.rollup.task_thread_pool.size | 6 | static | 4
xpack.security.audit.enabled | 6 | static | false
xpack.security.audit.index.bulk_size | 6 | static | 1000
xpack.security.audit.index.events.emit_request_body | 6 | static | false
xpack.security.audit.index.events.exclude | 6 | static | []
xpack.security.audit.index.events.include | 6 | static | ["ACCESS_DENIED", "ACCESS_GRANTED", "ANONYMOUS_ACCESS_DENIED", "AUTHENTICATION_FAILED", "REALM_AUTHENTICATION_FAILED", "CONNECTION_DENIED", "CONNECTION_GRANTED", "TAMPERED_REQUEST", "RUN_AS_DENIED", "RUN_AS_GRANTED", "AUTHENTICATION_SUCCESS"]
xpack.security.audit.index.flush_interval | 6 | static | 1s
xpack.security.audit.index.queue_max_size | 6 | static | 10000
xpack.security.audit.index.rollover | 6 | static | DAILY
xpack.security.audit.logfile.emit_node_host_address | 6 | boolean | false
xpack.security.audit.logfile.emit_node_host_name | 6 | boolean | false
xpack.security.audit.logfile.emit_node_id | 6 | boolean | true
xpack.security.audit.logfile.emit_node_name | 6 | boolean | true
xpack.security.audit.logfile.events.emit_request_body | 6 | boolean | false
xpack.security.audit.logfile.events.exclude | 6 | list | []
xpack.security.audit.logfile.events.include | 6 | list | ["ACCESS_DENIED", "ACCESS_GRANTED", "ANONYMOUS_ACCESS_DENIED", "AUTHENTICATION_FAILED", "CONNECTION_DENIED", "TAMPERED_REQUEST", "RUN_AS_DENIED", "RUN_AS_GRANTED"]
xpack.security.audit.logfile.prefix.emit_node_host_address | 6 | boolean deprecated | false
xpack.security.audit.logfile.prefix.emit_node_host_name | 6 | boolean deprecated | false
xpack.security.audit.logfile.prefix.emit_node_name | 6 | boolean deprecated | true
xpack.security.audit.outputs | 6 | static | ["logfile"]
xpack.security.authc.anonymous.authz_exception | 6 | static | true
xpack.security.authc.anonymous.roles | 6 | static | []
xpack.security.authc.anonymous.username | 6 | static | _anonymous
xpack.security.authc.api_key.cache.hash_algo | 6 | static | ssha256
xpack.security.authc.api_key.cache.max_keys | 6 | static | 10000
xpack.security.authc.api_key.cache.ttl | 6 | static | 24h
xpack.security.authc.api_key.delete.interval | 6 | static | 24h
xpack.security.authc.api_key.delete.timeout | 6 | static | -1
xpack.security.authc.api_key.enabled | 6 | static | false
xpack.security.authc.api_key.hashing.algorithm | 6 | static | pbkdf2
xpack.security.authc.password_hashing.algorithm | 6 | static | bcrypt
xpack.security.authc.reserved_realm.enabled | 6 | static | true
xpack.security.authc.run_as.enabled | 6 | static | true
xpack.security.authc.success_cache.enabled | 6 | static | false
xpack.security.authc.success_cache.expire_after_access | 6 | static | 1h
xpack.security.authc.success_cache.size | 6 | static | 10000
xpack.security.authc.token.compat.enabled | 6 | static | false
xpack.security.authc.token.delete.interval | 6 | static | 30m
xpack.security.authc.token.delete.timeout | 6 | static | -1
xpack.security.authc.token.enabled | 6 | static | false
xpack.security.authc.token.timeout | 6 | static | 20m
xpack.security.authz.store.roles.cache.max_size | 6 | static | 10000
xpack.security.authz.store.roles.field_permissions.cache.max_size_in_bytes | 6 | static | 104857600
xpack.security.authz.store.roles.index.cache.max_size | 6 | static | 10000
xpack.security.authz.store.roles.index.cache.ttl | 6 | static | 20m
xpack.security.authz.store.roles.negative_lookup_cache.max_size | 6 | static | 10000
xpack.security.automata.cache.enabled | 6 | static | true
xpack.security.automata.cache.size | 6 | static | 10000
xpack.security.automata.cache.ttl | 6 | static | 48h
xpack.security.automata.max_determinized_states | 6 | static | 100000
xpack.security.dls_fls.enabled | 6 | static | true
xpack.security.enabled | 6 | static | false
xpack.security.encryption.algorithm | 6 | static | AES/CTR/NoPadding
xpack.security.encryption_key.algorithm | 6 | static | AES
xpack.security.encryption_key.length | 6 | static | 128
xpack.security.filter.always_allow_bound_address | 6 | static | true
xpack.security.fips_mode.enabled | 6 | static | false
xpack.security.http.filter.allow | 6 | list | []
xpack.security.http.filter.deny | 6 | list | []
xpack.security.http.filter.enabled | 6 | boolean | true
xpack.security.http.ssl.enabled | 6 | static | false
xpack.security.transport.filter.allow | 6 | list | []
xpack.security.transport.filter.deny | 6 | list | []
xpack.security.transport.filter.enabled | 6 | boolean | true
xpack.security.transport.ssl.enabled | 6 | static | false
xpack.security.user | 6 | static | ?
xpack.sql.enabled | 6 | static | true
xpack.watcher.actions.bulk.default_timeout | 6 | static |
xpack.watcher.actions.index.default_timeout | 6 | static |
xpack.watcher.bulk.actions | 6 | static | 1
xpack.watcher.bulk.concurrent_requests | 6 | static | 0
xpack.watcher.bulk.flush_interval | 6 | static | 1s
xpack.watcher.bulk.size | 6 | static | 1mb
xpack.watcher.enabled | 6 | static | true
xpack.watcher.encrypt_sensitive_data | 6 | static | false
xpack.watcher.execution.default_throttle_period | 6 | static | 5s
xpack.watcher.execution.scroll.size | 6 | static | 0
xpack.watcher.execution.scroll.timeout | 6 | static |
xpack.watcher.history.cleaner_service.enabled | 6 | boolean | true
xpack.watcher.index.rest.direct_access | 6 | static |
xpack.watcher.input.search.default_timeout | 6 | static |
xpack.watcher.internal.ops.bulk.default_timeout | 6 | static |
xpack.watcher.internal.ops.index.default_timeout | 6 | static |
xpack.watcher.internal.ops.search.default_timeout | 6 | static |
xpack.watcher.require_manual_start | 6 | static | false
xpack.watcher.stop.timeout | 6 | static | 30s
xpack.watcher.thread_pool.queue_size | 6 | static | 1000
xpack.watcher.thread_pool.size | 6 | static | 10
xpack.watcher.transform.search.default_timeout | 6 | static |
xpack.watcher.trigger.schedule.ticker.tick_interval | 6 | static | 500ms
xpack.watcher.watch.scroll.size | 6 | static | 0
`
