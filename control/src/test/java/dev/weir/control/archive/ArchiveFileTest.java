package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.database.MonthlyTable;
import java.time.YearMonth;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchiveFileTest {
  @Test
  void aNameSaysWhatIsInTheFile() {
    ArchiveFile file = new ArchiveFile(MonthlyTable.METRICS, YearMonth.of(2026, 1), 12);
    assertThat(file.name())
        .isEqualTo("rate_limit_metrics/year=2026/month=01/rate_limit_metrics-2026-01-0012.parquet");
    assertThat(ArchiveFile.of(file.name())).hasValue(file);
    ArchiveFile many = new ArchiveFile(MonthlyTable.AUDIT_LOGS, YearMonth.of(2026, 12), 123_456);
    assertThat(ArchiveFile.of(many.name())).hasValue(many);
  }

  @Test
  void whatIsNoneOfOursIsNotTakenForIt() {
    for (String name :
        List.of(
            "",
            "rate_limit_metrics/year=2026/month=01/other.parquet",
            "rate_limit_metrics/year=2026/month=01/rate_limit_metrics-2026-02-0001.parquet",
            "rate_limit_metrics/year=2026/month=13/rate_limit_metrics-2026-13-0001.parquet",
            "rate_limit_metrics/year=2025/month=01/rate_limit_metrics-2026-01-0001.parquet",
            "rate_limit_audit_logs/year=2026/month=01/rate_limit_metrics-2026-01-0001.parquet",
            "api_keys/year=2026/month=01/api_keys-2026-01-0001.parquet",
            "rate_limit_metrics/year=2026/month=01/.rate_limit_metrics-2026-01-0001.parquet.part",
            "x/rate_limit_metrics/year=2026/month=01/rate_limit_metrics-2026-01-0001.parquet")) {
      assertThat(ArchiveFile.of(name)).as(name).isEmpty();
    }
  }
}
