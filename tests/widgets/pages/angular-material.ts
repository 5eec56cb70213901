import "@angular/compiler";
import "@angular/material/prebuilt-themes/azure-blue.css";
import { Component, provideZonelessChangeDetection, signal } from "@angular/core";
import { FormsModule } from "@angular/forms";
import { MatButtonModule } from "@angular/material/button";
import { MatCheckboxModule } from "@angular/material/checkbox";
import { provideNativeDateAdapter } from "@angular/material/core";
import { MatDatepickerModule } from "@angular/material/datepicker";
import { MatDialog, MatDialogModule } from "@angular/material/dialog";
import { MatFormFieldModule } from "@angular/material/form-field";
import { MatInputModule } from "@angular/material/input";
import { MatMenuModule } from "@angular/material/menu";
import { MatSelectModule } from "@angular/material/select";
import { MatSnackBar, MatSnackBarModule } from "@angular/material/snack-bar";
import { MatTabsModule } from "@angular/material/tabs";
import { inject } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";

@Component({
    selector: "confirm-order",
    imports: [MatDialogModule, MatButtonModule],
    template: `<h2 mat-dialog-title>Place the order?</h2><mat-dialog-actions>
        <button matButton mat-dialog-close>No</button><button matButton [mat-dialog-close]="true">Yes</button></mat-dialog-actions>`,
})
class ConfirmOrder {}

@Component({
    selector: "shop-page",
    imports: [FormsModule, MatButtonModule, MatCheckboxModule, MatDatepickerModule, MatDialogModule, MatFormFieldModule, MatInputModule,
        MatMenuModule, MatSelectModule, MatSnackBarModule, MatTabsModule],
    template: `<h1>Shop</h1>
        <mat-form-field><mat-label>Name</mat-label><input matInput [(ngModel)]="name"></mat-form-field>
        <mat-form-field><mat-label>Size</mat-label><mat-select [(ngModel)]="size">
            <mat-option value="S">Small</mat-option><mat-option value="M">Medium</mat-option><mat-option value="L">Large</mat-option>
        </mat-select></mat-form-field>
        <mat-form-field><mat-label>Delivery</mat-label><input matInput [matDatepicker]="picker" [(ngModel)]="date">
            <mat-datepicker-toggle matIconSuffix [for]="picker"></mat-datepicker-toggle><mat-datepicker #picker></mat-datepicker></mat-form-field>
        <mat-checkbox [(ngModel)]="gift">Gift</mat-checkbox>
        <button matButton [matMenuTriggerFor]="menu">More</button>
        <mat-menu #menu="matMenu"><button mat-menu-item (click)="told.set('printed')">Print</button><button mat-menu-item>Share</button></mat-menu>
        <button matButton (click)="order()">Order</button>
        <mat-tab-group><mat-tab label="Details">Made of oak.</mat-tab><mat-tab label="Reviews">Four stars.</mat-tab></mat-tab-group>
        <output>{{ name() }}, {{ size() }}, {{ date()?.toDateString() }}, {{ gift() ? "gift" : "no gift" }}, {{ told() }}</output>`,
})
class ShopPage {
    name = signal("Ada");
    size = signal("S");
    date = signal<Date | null>(new Date(2026, 2, 10));
    gift = signal(false);
    told = signal("");
    dialog = inject(MatDialog);
    snackBar = inject(MatSnackBar);
    order() {
        this.dialog.open(ConfirmOrder).afterClosed().subscribe((yes) => {
            if (!yes) return;
            this.told.set("ordered");
            this.snackBar.open("Order placed", "Undo", { duration: 3000 });
        });
    }
}
bootstrapApplication(ShopPage, { providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()] });
