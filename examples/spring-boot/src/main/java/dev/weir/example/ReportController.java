package dev.weir.example;

import dev.weir.example.Reports.Report;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Reports over HTTP. A report that is refused is answered with 429 without any code here. */
@RestController
class ReportController {
  private final Reports reports;

  ReportController(Reports reports) {
    this.reports = reports;
  }

  @GetMapping("/reports/{customer}")
  Report report(@PathVariable("customer") String customer) {
    return reports.of(customer);
  }
}
